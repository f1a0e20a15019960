#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// A wiring of n hosts with k ports each on k switches with n ports: rail i joins port i of every
/// host, and nothing joins the rails.
///
///     rails      0          1             switch port = host
///              ╱ │ ╲      ╱ │ ╲
///     hosts   0  1  2    0  1  2          each host once on every rail: port i on rail i
///
/// Routes: bytes addressed to port i travel on rail i. Bytes without a port take spread_port.
///
/// Wang et al., "Rail-only: A Low-Cost High-Performance Network for Training LLMs with Trillion
/// Parameters", HOTI 2024 (there the fast network inside a host joins the rails).
class RailOnly final : public Topology {
 public:
  /// Builds the wiring. Throws InputError unless 2 <= n <= kMaxHosts and n k <= kMaxCables.
  RailOnly(std::size_t n, std::size_t k);

  /// The node's place in words: "4", "rail 1".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::bridge; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;
  [[nodiscard]] std::optional<std::vector<std::size_t>> translation() const override;
};

}  // namespace gradwire::topologies
