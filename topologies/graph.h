#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topologies/graph_file.h"
#include "topologies/graph_routes.h"
#include "topologies/topology.h"

namespace gradwire::topologies {

/// A wiring described by a user's file (graph_file.h), named "graph(file.yaml)".
///
///     leaf0 ══4══ leaf1          experiments/graphs/two-leaves.yaml
///      │ │         │ │
///     h0 h1       h2 h3
///
/// Ranks count the hosts in the file's order. Switches are numbered by their distance in cables
/// from the nearest host, and in the file's order if that is equal: tier t holds those t cables
/// away.
///
/// Routes: shortest paths by cables; among equally short ones the port is number (destination mod
/// candidates) of the candidates in port order. Hosts relay only where there is no way without
/// (graph_routes.h).
class Graph final : public Topology {
 public:
  /// Builds the wiring of a file under `name`. Throws InputError with the place in the file if a
  /// host has no cable, hosts have different numbers of ports, two hosts cannot reach each other,
  /// or the route tables would be too large.
  Graph(const std::string& name, const GraphFile& file);

  /// The file's `name:`; name() if it has none.
  [[nodiscard]] std::string title() const override;
  /// The node's name in the file.
  [[nodiscard]] std::string label(NodeId node) const override { return labels_.at(node.index()); }
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::router; }
  [[nodiscard]] std::vector<Tier> tiers() const override { return tiers_; }
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;

 private:
  struct Layout;
  static Layout layout_of(const GraphFile& file);
  Graph(const std::string& name, const GraphFile& file, const Layout& layout);

  std::string title_;
  std::vector<std::string> labels_;  ///< by node
  std::vector<Tier> tiers_;
  GraphRoutes routes_;
};

}  // namespace gradwire::topologies
