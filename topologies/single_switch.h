#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// A wiring of n hosts with one port each on one switch with n ports: host i on port i. It is the
/// non-blocking network that stands for a Fat-Tree in the BML paper's testbed (NeurIPS 2018,
/// section 4.2).
class SingleSwitch final : public Topology {
 public:
  /// Builds the wiring. Throws InputError unless 2 <= n <= kMaxHosts.
  explicit SingleSwitch(std::size_t n);

  /// The node's name: "4", "switch".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::bridge; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;
  [[nodiscard]] std::optional<std::vector<std::size_t>> translation() const override {
    return std::vector{hosts()};
  }
  [[nodiscard]] Addressing addressing() const override { return Addressing::switch_subnets; }
};

}  // namespace gradwire::topologies
