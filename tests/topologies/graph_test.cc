#include "topologies/graph.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "topologies/describe.h"
#include "topologies/export.h"
#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

Graph graph_of(const std::string& text) {
  return Graph("graph(g.yaml)", parse_graph("gradwire-graph: 1\n" + text, "g.yaml"));
}

std::string refusal_of_graph(const std::string& text) {
  try {
    (void)graph_of(text);
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The labels of the nodes on the way, without the first.
std::string way(const Topology& graph, std::size_t from, std::size_t to, std::size_t to_port) {
  std::string text;
  for (const Hop& hop : graph.route(Rank(from), Rank(to), Port(to_port))) {
    text += (text.empty() ? "" : " ") + graph.label(graph.arrival(hop).node);
  }
  return text;
}

const std::string kSample = GRADWIRE_ROOT "/experiments/graphs/two-leaves.yaml";

TEST(Graph, BuildsTheSampleFromItsName) {
  const auto graph = make_topology(" graph ( " + kSample + " ) ");
  EXPECT_EQ(graph->name(), "graph(" + kSample + ")");
  EXPECT_EQ(make_topology(graph->name())->name(), graph->name());
  EXPECT_EQ(graph->title(), "two-leaves");
  EXPECT_EQ(graph->hosts(), 4u);
  EXPECT_EQ(graph->switches(), 2u);
  EXPECT_EQ(graph->links().size(), 5u);
  EXPECT_EQ(way(*graph, 0, 3, 0), "leaf0 leaf1 h3");
  EXPECT_EQ(graph->speed_at({graph->switch_node(0), Port(2)}), 4);
  EXPECT_NE(describe(*graph).find(", two-leaves\n"), std::string::npos);
  EXPECT_NE(export_json(*graph).find("\"speed\": 4.0"), std::string::npos);
}

// s is listed first but is two cables from the hosts, so that the leaves come before it.
TEST(Graph, NumbersSwitchesByTheirDistanceFromTheHosts) {
  const Graph graph =
      graph_of("hosts: 2\nswitches: [s, a, b]\nlinks: [[s, a], [b, s], [h1, b], [a, h0]]\n");
  EXPECT_EQ(graph.title(), "graph(g.yaml)");
  const auto tiers = graph.tiers();
  ASSERT_EQ(tiers.size(), 2u);
  EXPECT_EQ(tiers[0].name, "tier 1");
  EXPECT_EQ(tiers[0].switches, 2u);
  EXPECT_EQ(tiers[1].first_switch, 2u);
  EXPECT_EQ(graph.label(graph.switch_node(0)), "a");
  EXPECT_EQ(graph.label(graph.switch_node(2)), "s");
  // Ports in the order of the links; the lower end of a cable is a.
  EXPECT_EQ(graph.links()[0].a, (Attachment{graph.switch_node(0), Port(0)}));
  EXPECT_EQ(graph.links()[0].b, (Attachment{graph.switch_node(2), Port(0)}));
  EXPECT_EQ(graph.links()[1].a, (Attachment{graph.switch_node(1), Port(0)}));
  EXPECT_EQ(graph.links()[3].a, (Attachment{NodeId(0), Port(0)}));
  EXPECT_EQ(graph.links()[3].b, (Attachment{graph.switch_node(0), Port(1)}));
}

TEST(Graph, SpreadsEquallyShortWaysByDestination) {
  const Graph graph = graph_of(R"(hosts: 4
switches: [a, b, s, t]
links: [[h0, a], [h1, a], [h2, b], [h3, b], [a, s], [a, t], [b, s], [b, t]]
)");
  EXPECT_EQ(way(graph, 0, 2, 0), "a s b h2");
  EXPECT_EQ(way(graph, 0, 3, 0), "a t b h3");
  EXPECT_EQ(way(graph, 3, 0, 0), "b s a h0");
  EXPECT_EQ(way(graph, 3, 1, 0), "b t a h1");
  EXPECT_EQ(way(graph, 0, 1, 0), "a h1");
}

// Over h1 it is two cables from h0 to h2, over the switches four. Only the port towards h1 makes h1
// relay.
TEST(Graph, HostsRelayOnlyWhereThereIsNoOtherWay) {
  const Graph graph = graph_of(R"(hosts: 3
switches: [s, t, u]
links: [[h0, h1], [h1, h2], [h0, s], [s, t], [t, u], [u, h2]]
)");
  EXPECT_EQ(graph.arrival_port(Rank(0), Rank(2)), Port(1));
  EXPECT_EQ(way(graph, 0, 2, 1), "s t u h2");
  EXPECT_EQ(way(graph, 0, 2, 0), "h1 h2");
  EXPECT_EQ(way(graph, 0, 1, 0), "h1");
  EXPECT_EQ(way(graph, 0, 1, 1), "s t u h2 h1");
}

// Every port of a host can be named, as on rails.
TEST(Graph, RoutesToEveryPort) {
  const Graph graph = graph_of(
      "hosts: 3\nswitches: [p, q]\nlinks: [[h0, p], [h0, q], [h1, p], [h1, q], [h2, q], [h2, "
      "p]]\n");
  EXPECT_EQ(way(graph, 0, 1, 0), "p h1");
  EXPECT_EQ(way(graph, 0, 1, 1), "q h1");
  EXPECT_EQ(way(graph, 0, 2, 0), "q h2") << "h2 named q first";
  EXPECT_EQ(graph.arrival_port(Rank(0), Rank(1)), Port(1)) << "1 mod 2 candidates";
  EXPECT_EQ(graph.arrival_port(Rank(0), Rank(2)), Port(0));
}

// h2 alone joins s and t: from h0 its port 1, on t, can only be reached through h2 itself.
TEST(Graph, ArrivesElsewhereWhereThePortCannotBeReached) {
  const Graph graph = graph_of(
      "hosts: 4\nswitches: [s, t]\n"
      "links: [[h0, s], [h0, s], [h1, s], [h1, s], [h2, s], [h2, t], [h3, t], [h3, t]]\n");
  EXPECT_EQ(way(graph, 0, 2, 1), "s h2");
  EXPECT_EQ(graph.arrival(graph.route(Rank(0), Rank(2), Port(1)).back()).port, Port(0));
  EXPECT_EQ(way(graph, 3, 2, 0), "t h2");
  EXPECT_EQ(graph.arrival(graph.route(Rank(3), Rank(2), Port(0)).back()).port, Port(1));
  EXPECT_EQ(way(graph, 0, 3, 1), "s h2 t h3") << "h2 has to relay";
}

TEST(Graph, RefusesWhatIsNotConnected) {
  EXPECT_EQ(refusal_of_graph("hosts: [x, y, z]\nswitches: [s]\nlinks: [[x, s], [y, s]]\n"),
            "g.yaml:2:15: host z has no link");
  EXPECT_EQ(refusal_of_graph("hosts: [x, y]\nswitches: [s, t]\nlinks: [[x, s], [y, s]]\n"),
            "g.yaml:3:15: switch t has no link");
  EXPECT_EQ(refusal_of_graph("hosts: [x, y]\nswitches: [s, t]\nlinks: [[x, s], [y, t]]\n"),
            "g.yaml:2:12: hosts x and y cannot reach each other");
  EXPECT_EQ(refusal_of_graph("hosts: [x, y]\nswitches: [s, t]\nlinks: [[x, y], [s, t]]\n"),
            "g.yaml:3:12: switch s cannot reach a host");
  EXPECT_EQ(refusal_of_graph("hosts: [x, y]\nswitches: [s]\nlinks: [[x, s], [y, s], [y, s]]\n"),
            "g.yaml:2:12: every host must have the same number of links: host y has 2, and host x "
            "has 1");
}

TEST(Graph, RefusesTablesThatAreTooLarge) {
  std::string links;
  for (int i = 0; i < 40'000; ++i) links += "[x,y],";
  EXPECT_EQ(
      refusal_of_graph("hosts: [x, y]\nlinks: [" + links + "]\n"),
      "g.yaml:2:9: the route tables would be too large: 2 hosts with 40000 ports, 2 nodes and "
      "40000 links");
}

TEST(Graph, RefusesPathsThatWouldBreakATable) {
  EXPECT_THROW((void)make_topology("graph(a\"b)"), InputError);
  EXPECT_THROW((void)make_topology("graph(a\nb)"), InputError);
  EXPECT_THROW((void)make_topology("graph()"), InputError);
  EXPECT_THROW((void)make_topology("graph(no such file)"), InputError);
  EXPECT_THROW((void)make_topology("graph(/)"), InputError) << "a folder";
}

}  // namespace
}  // namespace gradwire::topologies
