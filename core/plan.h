#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/extent.h"
#include "core/fields.h"
#include "core/id.h"

/// A synchronization algorithm is a pure function from (wiring, rank, element count) to a Plan.
///
///     Plan ── Lane 0 ── Step 0: sends {to 1: [0,3)}, recvs {from 2: [6,9) add}
///          │         └─ Step 1: ...
///          └─ Lane 1 ── ...
///
/// The meaning of a Plan is its lanes' steps in order: in a step every send carries the values that
/// its extent held when the step began, and every receive is combined into its extent by the step's
/// end. A send in step s of lane t meets the receive of the same extent in step s of lane t at its
/// peer. Lanes are independent: no lane touches elements that another writes.
///
/// An executor may overlap steps as far as the extents and the Plan's Stepping allow: a send may
/// leave as soon as its whole extent is complete. It never forwards part of an extent, so a
/// parameter server answers with a shard only after every push of that shard has arrived.
namespace gradwire {

/// The other end of a transfer, and the ports its bytes use on the way.
struct Peer {
  Rank rank;
  Port via;  ///< the local port
  Port at;   ///< the peer's port

  friend constexpr auto operator<=>(const Peer&, const Peer&) = default;

  static constexpr auto kFields =
      row(field("rank", &Peer::rank), field("via", &Peer::via), field("at", &Peer::at));
};

/// The effect of a receive on the elements of its extent.
enum class Combine : std::uint8_t {
  add,      ///< element += arriving
  replace,  ///< element = arriving
};

/// Sends the elements of an extent.
struct Send {
  Peer to;
  Extent what;
  friend constexpr auto operator<=>(const Send&, const Send&) = default;
};

/// Receives elements into an extent.
struct Recv {
  Peer from;
  Extent where;
  Combine how = Combine::add;
  friend constexpr auto operator<=>(const Recv&, const Recv&) = default;
};

/// Transfers of one lane that may overlap in time. Empty extents are left out on both sides.
struct Step {
  std::vector<Send> sends;
  std::vector<Recv> recvs;
  friend bool operator==(const Step&, const Step&) = default;
};

/// The steps of one synchronization thread, in order. BML has k lanes per rank.
using Lane = std::vector<Step>;

/// The rule for how far a lane's steps may overlap in time.
enum class Stepping : std::uint8_t {
  /// Steps overlap as far as the extents allow. For Plans that talk to few peers and live from
  /// pipelining.
  overlapped,
  /// A step's sends wait for all receives of the steps before. For Plans whose steps give every
  /// link to one flow at a time: a rank that ran ahead would take bandwidth from others that its
  /// own peers wait for (BML loses 30 % that way, hierarchical synchronization 35 %).
  in_order,
  /// A step's sends wait for all transfers of the steps before, its own sends included. For trees,
  /// in which a rank sends to one after the other: at once they would share its port, and the first,
  /// which others wait for, would arrive as late as the last.
  one_by_one,
  /// Steps overlap as in overlapped, but arrivals for the same elements are added in the order of
  /// the steps. For Plans whose sums must have the same bits in every run: rounding depends on the
  /// order.
  ordered_sums,
};

/// The transfers by which one rank synchronizes one bucket. The buffer is used in place: elements
/// keep their position, so a send and its receive name the same extent.
struct Plan {
  std::vector<Lane> lanes;
  Stepping stepping = Stepping::overlapped;
  /// The stepping of each lane, where Plans that step differently run beside each other. Empty
  /// where `stepping` holds for all lanes.
  std::vector<Stepping> lane_steppings = {};

  /// The stepping of lane `lane`. Requires that the Plan has the lane.
  [[nodiscard]] Stepping stepping_of(std::size_t lane) const {
    return lane_steppings.empty() ? stepping : lane_steppings.at(lane);
  }
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// A run of every lane's steps: [first, first + count).
struct StepRange {
  std::size_t first = 0;
  std::size_t count = 0;

  /// The step after the last one.
  [[nodiscard]] constexpr std::size_t end() const { return first + count; }
  friend bool operator==(const StepRange&, const StepRange&) = default;
};

/// Several Plans of one rank joined into one. Each is a stage: it has the steps of all lanes that
/// follow those of the stage before. A stage may run when the stages before it are done. All share
/// connections.
struct StagedPlan {
  Plan plan;
  std::vector<StepRange> stages;
};

/// Whether the Plan adds anything.
[[nodiscard]] bool adds(const Plan& plan);

/// The Plan with every extent moved up by `elements`.
[[nodiscard]] Plan shifted(Plan plan, std::size_t elements);

/// Joins the Plans of one rank, one after the other. On every rank, Plan i must have the same
/// number of steps, as the Plans of one algorithm and wiring have, so that the steps of a stage
/// meet. Throws InternalError when their stepping differs.
[[nodiscard]] StagedPlan in_stages(std::vector<Plan> plans);

/// Joins two Plans of one rank lane by lane, the second after the first: a reduce-scatter and an
/// all-gather of the same parts make an all-reduce. Requires and throws as in_stages.
[[nodiscard]] Plan then(Plan first, Plan second);
/// Joins two Plans of one rank side by side, each with lanes of its own, so that neither waits for
/// the other: the second's lanes follow the first's. Lanes of the same number meet, so the first
/// must have as many on every rank. Requires that neither touches elements that the other writes.
[[nodiscard]] Plan beside(Plan first, Plan second);
/// The first half of every lane's steps: the reduce-scatter of an all-reduce that sums parts and
/// then hands them round. Throws InternalError for a lane with an odd number of steps.
[[nodiscard]] Plan first_half(const Plan& plan);
/// The second half of every lane's steps: the all-gather. Throws like first_half().
[[nodiscard]] Plan second_half(const Plan& plan);

}  // namespace gradwire
