#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "topologies/topology.h"

/// Tables of shortest paths, for a wiring of any shape.
namespace gradwire::topologies {

/// The route tables: for every node, host and port of that host, the port through which the node
/// reaches it.
///
/// A way costs one for every cable, and for every host that relays on it more than any number of
/// cables. A way to (host, port) ends with the cable at that port. Nodes from which no way ends
/// there take the way to the host's nearest port instead. Among equally good next ports, in port
/// order, the one numbered (destination mod their count) is taken; among equally near arrival ports
/// likewise.
class GraphRoutes {
 public:
  GraphRoutes() = default;
  /// Computes the tables. Memory grows with nodes * hosts * ports per host, time with kMaxWork's
  /// product. Requires that all hosts can reach each other, that no node has more than 65,535
  /// ports, and that every port has a cable.
  explicit GraphRoutes(const Topology& topology);

  /// The port through which `at` forwards bytes for port `to_port` of `to`. Requires at != to.
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const;
  /// The port of `to` to which the way from `from` is shortest. Requires from != to.
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const;

  /// The most entries that the tables may have.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 27;
  /// The limit of hosts * ports per host * cables: some ten seconds' work.
  static constexpr std::size_t kMaxWork = std::size_t{1} << 30;

 private:
  using Number = std::uint16_t;

  std::size_t nodes_ = 0;
  std::size_t hosts_ = 0;
  std::size_t ports_ = 0;
  std::vector<Number> next_;     ///< [to][to_port][at]
  std::vector<Number> arrival_;  ///< [to][from]
};

}  // namespace gradwire::topologies
