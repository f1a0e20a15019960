#include "topologies/graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace gradwire::topologies {

/// The file's nodes and cables with the wiring's numbers.
struct Graph::Layout {
  struct Cable {
    Attachment a;
    Attachment b;
    double speed;
  };

  std::vector<std::string> labels;  ///< by node
  std::size_t ports_per_host = 0;
  std::vector<std::size_t> ports_of_switches;
  std::vector<Tier> tiers;
  std::vector<Cable> cables;
};

namespace {

constexpr std::size_t kUnreached = std::numeric_limits<std::size_t>::max();

using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighbours_of(const GraphFile& file) {
  Neighbours neighbours(file.nodes.size());
  for (const GraphFile::Cable& cable : file.cables) {
    neighbours[cable.a].push_back(cable.b);
    neighbours[cable.b].push_back(cable.a);
  }
  return neighbours;
}

/// The number of cables from the nearest of `starts` to every node.
std::vector<std::size_t> distances(const Neighbours& neighbours, std::vector<std::size_t> starts) {
  std::vector<std::size_t> distance(neighbours.size(), kUnreached);
  for (const std::size_t node : starts) distance[node] = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    for (const std::size_t next : neighbours[starts[i]]) {
      if (distance[next] != kUnreached) continue;
      distance[next] = distance[starts[i]] + 1;
      starts.push_back(next);
    }
  }
  return distance;
}

[[noreturn]] void refuse(const GraphFile::Node& node, const std::string& why) {
  throw InputError(node.place, why);
}

void check(const GraphFile& file, const Neighbours& neighbours) {
  const std::size_t ports = neighbours[0].size();
  const std::vector<std::size_t> reached = distances(neighbours, {0});
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    const GraphFile::Node& node = file.nodes[i];
    const bool host = i < file.hosts;
    if (neighbours[i].empty()) {
      refuse(node, fmt::format("{} {} has no link", host ? "host" : "switch", node.name));
    }
    if (host && neighbours[i].size() != ports) {
      refuse(node, fmt::format("every host must have the same number of links: host {} has {}, and "
                               "host {} has {}",
                               node.name, neighbours[i].size(), file.nodes[0].name, ports));
    }
  }
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    if (reached[i] != kUnreached) continue;
    const GraphFile::Node& node = file.nodes[i];
    if (i < file.hosts) {
      refuse(node,
             fmt::format("hosts {} and {} cannot reach each other", file.nodes[0].name, node.name));
    }
    refuse(node, fmt::format("switch {} cannot reach a host", node.name));
  }
}

/// Checks that the route tables are not too large. Requires that every host has `ports` ports, and
/// sizes within the limits of graph_file.h.
void check_tables(const GraphFile& file, std::size_t ports) {
  const std::size_t goals = file.hosts * ports;
  if (goals * file.nodes.size() <= GraphRoutes::kMaxEntries &&
      goals * file.cables.size() <= GraphRoutes::kMaxWork) {
    return;
  }
  refuse(file.nodes[0], fmt::format("the route tables would be too large: {} hosts with {} ports, "
                                    "{} nodes and {} links",
                                    file.hosts, ports, file.nodes.size(), file.cables.size()));
}

}  // namespace

Graph::Layout Graph::layout_of(const GraphFile& file) {
  const Neighbours neighbours = neighbours_of(file);
  check(file, neighbours);
  check_tables(file, neighbours[0].size());
  std::vector<std::size_t> order(file.nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::vector<std::size_t> tier_of = distances(
      neighbours, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(file.hosts)});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return tier_of[i]; });

  Layout layout;
  layout.ports_per_host = neighbours[0].size();
  std::vector<NodeId> node_of(order.size());
  for (std::size_t number = 0; number < order.size(); ++number) {
    const std::size_t i = order[number];
    node_of[i] = NodeId(number);
    layout.labels.push_back(file.nodes[i].name);
    if (number < file.hosts) continue;
    if (tier_of[i] > layout.tiers.size()) {
      layout.tiers.push_back({fmt::format("tier {}", tier_of[i]), number - file.hosts, 0});
    }
    ++layout.tiers.back().switches;
    layout.ports_of_switches.push_back(neighbours[i].size());
  }
  std::vector<std::size_t> used(order.size());
  for (const GraphFile::Cable& cable : file.cables) {
    const Attachment a{node_of[cable.a], Port(used[cable.a]++)};
    const Attachment b{node_of[cable.b], Port(used[cable.b]++)};
    // Of two hosts the file's first stays first; otherwise the lower one is.
    const bool swapped = cable.b >= file.hosts || cable.a >= file.hosts ? b.node < a.node : false;
    layout.cables.push_back({swapped ? b : a, swapped ? a : b, cable.speed});
  }
  return layout;
}

Graph::Graph(const std::string& name, const GraphFile& file) : Graph(name, file, layout_of(file)) {}

Graph::Graph(const std::string& name, const GraphFile& file, const Layout& layout)
    : Topology(name, file.hosts, layout.ports_per_host, layout.ports_of_switches),
      title_(file.title),
      labels_(layout.labels),
      tiers_(layout.tiers) {
  for (const Layout::Cable& cable : layout.cables) connect(cable.a, cable.b, cable.speed);
  routes_ = GraphRoutes(*this);
}

std::string Graph::title() const {
  return title_.empty() ? name() : title_;
}

Port Graph::next_port(NodeId at, Rank to, Port to_port) const {
  return routes_.next_port(at, to, to_port);
}

Port Graph::arrival_port(Rank from, Rank to) const {
  return routes_.arrival_port(from, to);
}

}  // namespace gradwire::topologies
