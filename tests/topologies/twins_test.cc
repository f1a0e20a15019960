#include "topologies/twins.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

std::vector<std::size_t> runs_of(const std::string& name) {
  return twin_runs(*make_topology(name));
}

TEST(TwinRuns, AreTheHostsBelowALeafWithOneUplink) {
  EXPECT_THAT(runs_of("leaf-spine(2,3,1)"), ElementsAre(0, 0, 0, 3, 3, 3));
  EXPECT_THAT(runs_of("single-switch(4)"), Each(0));
}

// What is for the first and the third host of a leaf comes down by one spine switch, what is for the
// second by the other.
TEST(TwinRuns, EndWhereRoutesDiffer) {
  EXPECT_THAT(runs_of("leaf-spine(2,3,2)"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(runs_of("fat-tree(4)").back(), 15U);
}

TEST(TwinRuns, AreNotLookedForWhereHostsHaveSeveralPortsOrRoutesLookAtTheSender) {
  EXPECT_THAT(runs_of("bcube(2,2)"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(runs_of("leaf-spine(2,2,1,ecmp)"), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(runs_of("rail-only(3,2)"), ElementsAre(0, 1, 2));
}

/// The host that has come to stand where `host` stood.
Rank exchanged(Rank host, Rank a, Rank b) {
  if (host == a) return b;
  return host == b ? a : host;
}

/// The switches on the way from one host to another.
std::vector<std::size_t> switches_between(const Topology& topology, Rank from, Rank to) {
  std::vector<std::size_t> nodes;
  for (const Hop& hop : topology.route(from, to)) {
    nodes.push_back(topology.departure(hop).node.index());
  }
  nodes.erase(nodes.begin());
  return nodes;
}

// When two of a run change places, every route goes over the switches that it went over before.
TEST(TwinRuns, ExchangeWithoutChangingARoute) {
  for (const char* name : {"leaf-spine(3,3,1)", "single-switch(5)", "leaf-spine(2,4,2)"}) {
    const auto topology = make_topology(name);
    const auto runs = twin_runs(*topology);
    for (std::size_t a = 0; a < runs.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (runs[a] != runs[b]) continue;
        for (std::size_t from = 0; from < runs.size(); ++from) {
          for (std::size_t to = 0; to < runs.size(); ++to) {
            if (from == to) continue;
            EXPECT_EQ(switches_between(*topology, Rank(from), Rank(to)),
                      switches_between(*topology, exchanged(Rank(from), Rank(a), Rank(b)),
                                       exchanged(Rank(to), Rank(a), Rank(b))))
                << name << ": " << from << " to " << to << ", " << a << " for " << b;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::topologies
