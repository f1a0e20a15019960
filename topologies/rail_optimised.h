#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// Groups of hosts with one leaf switch per rail: port i of every host of a group is on leaf i of
/// the group, and every leaf has one uplink to every spine.
///
///     spines             0                1            switch port = leaf, over all groups
///                    every leaf to every spine
///     leaves     0       1            0       1         ports 0..hosts-1 down, then one up to each
///               ╱ ╲     ╱ ╲          ╱ ╲     ╱ ╲        spine
///     hosts    0   1   0   1        2   3   2   3       port i on leaf i of the group
///                group 0              group 1
///
/// Routes: bytes addressed to port i stay on rail i: leaf i of the sender's group and, in another
/// group, the spine of the destination's number in its group mod spines, and leaf i there. Bytes
/// without a port take spread_port.
class RailOptimised final : public Topology {
 public:
  struct Sizes {
    std::size_t groups = 1;
    std::size_t hosts = 1;  ///< hosts per group
    std::size_t rails = 1;  ///< rails, which are ports per host
    std::size_t spines = 1;
  };

  /// Builds the wiring with uplinks `speed` times as fast as a host's cable. Throws InputError
  /// unless it has at least two hosts, and at most kMaxHosts hosts and kMaxCables cables.
  explicit RailOptimised(const Sizes& sizes, double speed = 1);

  /// The node's place in words: "group 1 host 0", "group 1 leaf 0", "spine 0".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::router; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;
  /// The place of a switch: the leaves of a group of hosts are a group of their tier; all spines
  /// are one group of theirs.
  [[nodiscard]] SwitchPlace switch_place(NodeId node) const override;

 private:
  Sizes sizes_;
};

}  // namespace gradwire::topologies
