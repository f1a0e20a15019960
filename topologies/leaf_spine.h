#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topologies/ecmp.h"
#include "topologies/topology.h"

namespace gradwire::topologies {

/// Two layers of switches: every leaf has one uplink to every spine.
///
///     spines     0           1            switch port = leaf
///                │ ╲       ╱ │
///                │   ╲   ╱   │            uplinks: `speed` times as fast as a host's cable
///                │   ╱   ╲   │
///     leaves     0           1            ports 0..hosts-1 down, then one up to each spine
///              ╱ │ ╲       ╱ │ ╲
///     hosts   0  1  2     3  4  5         `hosts` at each leaf, one port each
///
/// Oversubscription is hosts / (spines * speed): 1 is non-blocking.
///
/// Routes: traffic between leaves crosses the spine of the destination's number at its leaf, mod
/// spines. With `ecmp` the leaf chooses the spine by a hash of the flow (ecmp.h).
class LeafSpine final : public Topology {
 public:
  struct Options {
    double speed = 1;  ///< speed of an uplink, times the link rate
    std::optional<Ecmp> ecmp = std::nullopt;
  };

  /// Builds the wiring. Throws InputError unless it has at least two hosts, and at most kMaxHosts
  /// hosts and kMaxCables cables.
  LeafSpine(std::size_t leaves, std::size_t hosts_per_leaf, std::size_t spines,
            const Options& options);
  LeafSpine(std::size_t leaves, std::size_t hosts_per_leaf, std::size_t spines)
      : LeafSpine(leaves, hosts_per_leaf, spines, Options{}) {}

  [[nodiscard]] double oversubscription() const;

  /// The node's place in words: "leaf 1 host 0", "leaf 1", "spine 0".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::router; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port next_port_of_flow(NodeId at, Rank from, Rank to, Port to_port) const override;
  [[nodiscard]] bool routes_by_destination() const override { return !options_.ecmp; }
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;

 private:
  /// Whether `at` is a leaf that has to pass bytes for `to` upwards.
  [[nodiscard]] bool goes_up(NodeId at, Rank to) const;

  std::size_t leaves_;
  std::size_t hosts_per_leaf_;
  std::size_t spines_;
  Options options_;
};

}  // namespace gradwire::topologies
