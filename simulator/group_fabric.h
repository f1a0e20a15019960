#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "simulator/fabric.h"

namespace gradwire::simulator {

/// A fabric of some ranks of a wiring, in the order of a group: actor i is the group's member i.
/// Their messages cross the links of the whole wiring.
class GroupFabric final : public Fabric {
 public:
  /// The fabric of a group within `whole`, which must outlive it. Requires ranks of the wiring,
  /// each once.
  GroupFabric(const WholeFabric& whole, std::span<const Rank> group);

  [[nodiscard]] const topologies::Topology& topology() const override { return whole_.topology(); }
  [[nodiscard]] std::size_t actors() const override { return group_.size(); }
  /// The other end of the channel from `actor` to `peer`. Throws InternalError also when the peer
  /// is not in the group.
  [[nodiscard]] ChannelEnd opposite(std::size_t actor, const Peer& peer) const override;
  [[nodiscard]] std::vector<LinkUse> route(std::size_t actor, const Peer& peer) const override;
  [[nodiscard]] std::vector<double> speeds() const override { return whole_.speeds(); }

 private:
  const WholeFabric& whole_;
  std::vector<Rank> group_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< rank and its place, by rank
};

}  // namespace gradwire::simulator
