#include "topologies/cut.h"

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "topologies/bcube.h"
#include "topologies/graph.h"
#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

void expect_cut(const Topology& topology, double t_f, const char* cut) {
  const CutBound bound = cut_bound(topology);
  EXPECT_DOUBLE_EQ(bound.t_f, t_f) << topology.name();
  EXPECT_EQ(bound.cut, cut) << topology.name();
}

void expect_cut(const char* name, double t_f, const char* cut) {
  expect_cut(*make_topology(name), t_f, cut);
}

TEST(CutBound, OfWiringsThatDoNotBlockIsThatOfTheHosts) {
  const char* const hosts = "each host's NICs";
  expect_cut("bcube(3,2)", 2 * 8 / 18.0, hosts);
  expect_cut("bcube(16,4)", 2 * 65535 / (4 * 65536.0), hosts);
  expect_cut("fat-tree(4)", 2 * 15 / 16.0, hosts);
  expect_cut("fat-tree(4,nics=2)", 2 * 15 / 32.0, hosts);
  expect_cut("rail-only(8,4)", 2 * 7 / 32.0, hosts);
  expect_cut("torus(4,3)", 2 * 11 / 48.0, hosts);
  expect_cut("leaf-spine(4,8,2)", 2 * 31 / 32.0, hosts);
}

// One uplink per leaf: 2(G-1) over all of them is more than 1 over one, but for two leaves, where
// both are 4 and the first is named.
TEST(CutBound, OfOversubscribedLeavesIsThatOfTheirUplinks) {
  expect_cut("leaf-spine(4,8,1,speed=0.5)", 2 * 3 / 2.0, "between the 4 groups below tier leaf");
  expect_cut("leaf-spine(2,8,1,speed=0.25)", 4, "between the 2 groups below tier leaf");
}

// A group's two leaves, one per rail, hold the same hosts: 2 * 0.5 leave it. Leaf by leaf the other
// rails' cables would leave too.
TEST(CutBound, TakesLeavesOfAllRailsTogether) {
  expect_cut("rail-optimised(2,4,2,1,speed=0.5)", 2 / 2.0, "between the 2 groups below tier leaf");
  expect_cut("rail-optimised(3,4,2,1,speed=0.25)", 2 * 2 / 1.5,
             "between the 3 groups below tier leaf");
}

TEST(CutBound, NamesTheOneGroupThatIsNarrow) {
  const auto graph = parse_graph(R"(gradwire-graph: 1
hosts: 6
switches: [a, b, c, top]
links:
  - [h0, a]
  - [h1, a]
  - [h2, b]
  - [h3, b]
  - [h4, c]
  - [h5, c]
  - {a: a, b: top, speed: 4}
  - {a: b, b: top, speed: 0.25}
  - {a: c, b: top, speed: 4}
)",
                                 "g.yaml");
  expect_cut(Graph("graph(g.yaml)", graph), 4, "the group below b");
}

// Dual-homed hosts chain all switches into one group; what is below s0 alone has two slow cables.
TEST(CutBound, LooksBelowEverySwitch) {
  const auto graph = parse_graph(R"(gradwire-graph: 1
hosts: 4
switches: [s0, s1, s2]
links:
  - {a: h0, b: s0, speed: 4}
  - {a: h1, b: s0, speed: 4}
  - {a: h0, b: s1, speed: 0.1}
  - {a: h1, b: s1, speed: 0.1}
  - [h2, s1]
  - [h3, s1]
  - [h2, s2]
  - [h3, s2]
)",
                                 "g.yaml");
  expect_cut(Graph("graph(g.yaml)", graph), 1 / 0.2, "below s0");
}

TEST(CutBound, OfOneSlowHostIsThatOfItsNics) {
  const auto graph = parse_graph(R"(gradwire-graph: 1
hosts: [fast, slow, third]
switches: [s]
links: [[fast, s], {a: slow, b: s, speed: 0.2}, [third, s]]
)",
                                 "g.yaml");
  expect_cut(Graph("graph(g.yaml)", graph), 5, "the NICs of host slow");
}

/// In T_F, when steps do not overlap.
template <class PlanOf>
double in_t_f(const Topology& topology, const PlanOf& plan_of) {
  const std::size_t elements = 12 * topology.hosts() * topology.ports_per_host();
  std::vector<Plan> plans;
  for (std::size_t rank = 0; rank < topology.hosts(); ++rank) {
    plans.push_back(plan_of(Rank(rank), elements));
  }
  return step_bound(topology, plans) / static_cast<double>(elements);
}

TEST(CutBound, NoAlgorithmIsFaster) {
  for (const char* name :
       {"bcube(3,2)", "bcube(2,3)", "single-switch(5)", "fat-tree(4)", "fat-tree(4,nics=2,ecmp)",
        "leaf-spine(3,4,2)", "leaf-spine(4,3,1,speed=0.5)", "leaf-spine(2,4,1,speed=0.25,ecmp)",
        "rail-only(5,3)", "rail-optimised(3,2,2,1,speed=0.5)", "torus(2,2)", "torus(4,3)",
        "torus(2,3,2)"}) {
    const auto topology = make_topology(name);
    const double bound = cut_bound(*topology).t_f * (1 - 1e-9);
    EXPECT_GE(
        in_t_f(*topology,
               [&](Rank rank, std::size_t n) { return ringallreduce::plan(*topology, rank, n); }),
        bound)
        << name;
    EXPECT_GE(
        in_t_f(*topology, [&](Rank rank, std::size_t n) { return ps::plan(*topology, rank, n); }),
        bound)
        << name;
  }
}

// BML's 2(N-1)/(kN) is the bound itself.
TEST(CutBound, BmlReachesIt) {
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{3, 2}, {4, 2}, {2, 3}}) {
    const BCube cube(n, k);
    const double bml = in_t_f(
        cube, [&](Rank rank, std::size_t elements) { return bml::plan(cube, rank, elements); });
    EXPECT_DOUBLE_EQ(cut_bound(cube).t_f, bml);
  }
}

}  // namespace
}  // namespace gradwire::topologies
