#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "schedule/jobs/job.h"
#include "simulator/group_fabric.h"
#include "simulator/jobs.h"
#include "simulator/machine.h"

namespace gradwire::simulator {

/// The collectives of one job that are under way. A collective begins with its first member, and is
/// over when all members are. Lanes that are not used any more are kept for the next collective of
/// the kind.
class Meetings {
 public:
  /// The meetings of a tenant. All arguments must outlive it.
  Meetings(const WholeFabric& whole, const Tenant& tenant, const PlansOf& plans_of,
           Machine& machine);

  /// A collective of the machine, and the place of a rank in its group.
  struct Seat {
    std::uint32_t collective = 0;
    std::size_t place = 0;
  };
  /// The seat of a rank in the `ordinal`-th collective of a group of its job, which is added to the
  /// machine if the rank is the first member. Requires that the rank is a member.
  [[nodiscard]] Seat seat(std::size_t rank, std::uint32_t group, std::uint64_t ordinal,
                          const jobs::Call& call);
  /// The rank at a place of a collective that is under way.
  [[nodiscard]] std::size_t rank_at(std::uint32_t collective, std::size_t place) const;
  /// Notes that a member is done. Returns whether all are; then the collective must be retired.
  [[nodiscard]] bool leave(std::uint32_t collective);
  /// Removes a collective that is over from the machine. Must not be called from the driver's
  /// functions.
  void retire(std::uint32_t collective);

  /// The messages of all collectives that have begun.
  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 private:
  using KindKey = std::tuple<std::uint32_t, jobs::Collective, std::size_t, Dtype, std::uint32_t>;
  struct Kind {
    Lanes fresh;  ///< never begun; to be copied
    std::uint64_t messages = 0;
    std::vector<Lanes> idle = {};
  };
  struct Meeting {
    std::uint32_t group = 0;
    std::uint64_t ordinal = 0;
    Kind* kind = nullptr;
    std::size_t members_left = 0;
  };

  Kind& kind_of(std::uint32_t group, const jobs::Call& call);
  std::uint32_t begin(std::uint32_t group, std::uint64_t ordinal, const jobs::Call& call);

  const WholeFabric& whole_;
  const Tenant& tenant_;
  const PlansOf& plans_of_;
  Machine& machine_;
  std::deque<std::optional<GroupFabric>> fabrics_;               ///< by group
  std::vector<std::map<std::size_t, std::size_t>> places_;       ///< by group: places by rank
  std::vector<std::map<std::uint64_t, std::uint32_t>> current_;  ///< by group, ordinal
  std::map<KindKey, Kind> kinds_;
  std::map<std::uint32_t, Meeting> meetings_;  ///< by collective
  std::uint64_t messages_ = 0;
};

}  // namespace gradwire::simulator
