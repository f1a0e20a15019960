#include "topologies/graph_routes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "core/error.h"

namespace gradwire::topologies {
namespace {

using RouteCost = std::uint64_t;

constexpr RouteCost kFar = std::numeric_limits<RouteCost>::max();
/// The cost of a relaying host, more than that of the cables of any way: a way with fewer relaying
/// hosts is cheaper, however long it is.
constexpr RouteCost kRelay = RouteCost{1} << 32;

/// The wiring as lists of the other ends of each node's ports.
class Ways {
 public:
  explicit Ways(const Topology& topology) : topology_(topology) {
    const std::size_t nodes = topology.hosts() + topology.switches();
    first_.push_back(0);
    for (std::size_t node = 0; node < nodes; ++node) {
      const std::size_t ports = topology.ports_of(NodeId(node));
      for (std::size_t port = 0; port < ports; ++port) {
        far_ends_.push_back(topology.opposite({NodeId(node), Port(port)}));
      }
      first_.push_back(far_ends_.size());
    }
  }

  [[nodiscard]] std::size_t nodes() const { return first_.size() - 1; }
  [[nodiscard]] std::span<const Attachment> from(std::size_t node) const {
    return std::span(far_ends_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

  /// The cost of passing through `node`, its cable included.
  [[nodiscard]] RouteCost pass(std::size_t node) const {
    return topology_.is_host(NodeId(node)) ? kRelay + 1 : 1;
  }

  /// The cost, for every node, of the way to `goal` that ends with the cable at goal's port; kFar
  /// where there is none.
  ///
  /// Dijkstra's algorithm, from the goal backwards: a node's cost is settled when it is the least
  /// of those left, because to pass a node on costs at least 1. Nodes of equal cost are settled
  /// together: there are few different costs, one per length and number of relays, so that the map
  /// stays small.
  [[nodiscard]] std::vector<RouteCost> costs_to(Attachment goal) const {
    std::vector<RouteCost> costs(nodes(), kFar);
    costs[goal.node.index()] = 0;
    std::map<RouteCost, std::vector<std::size_t>> frontier;
    frontier[1].push_back(from(goal.node.index())[goal.port.index()].node.index());
    while (!frontier.empty()) {
      const auto nearest = frontier.extract(frontier.begin());
      // A node may stand here several times, or have been settled at a lower cost.
      for (const std::size_t node : nearest.mapped()) {
        if (costs[node] <= nearest.key()) continue;
        costs[node] = nearest.key();
        std::vector<std::size_t>& next = frontier[nearest.key() + pass(node)];
        for (const Attachment& end : from(node)) {
          if (costs[end.node.index()] == kFar) next.push_back(end.node.index());
        }
      }
    }
    return costs;
  }

  /// The port that `node` takes to `goal`, given all costs to it. Requires a way. Each next node is
  /// nearer to the goal, so that a route never comes back. The choice depends on the goal alone,
  /// not on the sender: routes are by destination.
  [[nodiscard]] std::size_t port_towards(std::size_t node, Attachment goal,
                                         std::span<const RouteCost> costs) const {
    std::vector<std::size_t> candidates;
    const auto ends = from(node);
    for (std::size_t port = 0; port < ends.size(); ++port) {
      const std::size_t next = ends[port].node.index();
      const bool arrives = ends[port] == goal;
      // The goal's other ports end the way at the wrong cable.
      const bool passes = ends[port].node != goal.node && costs[next] != kFar &&
                          costs[next] + pass(next) == costs[node];
      if ((arrives && costs[node] == 1) || passes) candidates.push_back(port);
    }
    ensure(!candidates.empty(), "a way has a next port");
    return candidates[goal.node.index() % candidates.size()];
  }

 private:
  const Topology& topology_;
  std::vector<Attachment> far_ends_;
  std::vector<std::size_t> first_;
};

/// The host's port to which the way from `node` is cheapest.
std::size_t nearest_port(std::span<const std::vector<RouteCost>> costs, std::size_t node,
                         std::size_t host) {
  RouteCost least = kFar;
  for (const auto& to_port : costs) least = std::min(least, to_port[node]);
  ensure(least != kFar, "every node can reach every host");
  std::vector<std::size_t> candidates;
  for (std::size_t port = 0; port < costs.size(); ++port) {
    if (costs[port][node] == least) candidates.push_back(port);
  }
  return candidates[host % candidates.size()];
}

}  // namespace

GraphRoutes::GraphRoutes(const Topology& topology)
    : nodes_(topology.hosts() + topology.switches()),
      hosts_(topology.hosts()),
      ports_(topology.ports_per_host()),
      next_(hosts_ * ports_ * nodes_),
      arrival_(hosts_ * hosts_) {
  const Ways ways(topology);
  for (std::size_t host = 0; host < hosts_; ++host) {
    std::vector<std::vector<RouteCost>> costs;
    for (std::size_t port = 0; port < ports_; ++port) {
      costs.push_back(ways.costs_to({NodeId(host), Port(port)}));
    }
    for (std::size_t node = 0; node < nodes_; ++node) {
      if (node == host) continue;
      const std::size_t nearest = nearest_port(costs, node, host);
      if (node < hosts_) arrival_[host * hosts_ + node] = static_cast<Number>(nearest);
      for (std::size_t port = 0; port < ports_; ++port) {
        const std::size_t end = costs[port][node] != kFar ? port : nearest;
        next_[(host * ports_ + port) * nodes_ + node] =
            static_cast<Number>(ways.port_towards(node, {NodeId(host), Port(end)}, costs[end]));
      }
    }
  }
}

Port GraphRoutes::next_port(NodeId at, Rank to, Port to_port) const {
  ensure(at.index() != to.index(), "a host does not route to itself");
  return Port(next_.at((to.index() * ports_ + to_port.index()) * nodes_ + at.index()));
}

Port GraphRoutes::arrival_port(Rank from, Rank to) const {
  ensure(from != to, "a route needs two hosts");
  return Port(arrival_.at(to.index() * hosts_ + from.index()));
}

}  // namespace gradwire::topologies
