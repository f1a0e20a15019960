#include "topologies/bcube.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::topologies {
namespace {

using ::testing::ElementsAre;

/// The hosts that a route passes, both ends included.
std::vector<Rank> hosts_on(const Topology& topology, std::span<const Hop> route) {
  std::vector<Rank> ranks{Rank(topology.departure(route.front()).node.index())};
  for (const Hop& hop : route) {
    const NodeId node = topology.arrival(hop).node;
    if (topology.is_host(node)) ranks.emplace_back(node.index());
  }
  return ranks;
}

// BML, section 3.1: BCube(n,k) has n^k servers and k n^(k-1) switches; (16,4) has 65,536 servers.
TEST(BCube, HasTheSizesOfThePaper) {
  const BCube small(3, 2);
  EXPECT_EQ(small.hosts(), 9u);
  EXPECT_EQ(small.switches(), 6u);
  EXPECT_EQ(small.ports_per_host(), 2u);
  EXPECT_EQ(small.ports_per_switch(), 3u);
  EXPECT_EQ(small.links().size(), 18u);

  const BCube large(16, 4);
  EXPECT_EQ(large.hosts(), 65'536u);
  EXPECT_EQ(large.switches(), 4u * 4096u);
  EXPECT_EQ(large.links().size(), 262'144u);
}

// Port l of a host goes to its level-l switch; the switch port is the host's digit l.
TEST(BCube, WiresPortsToLevels) {
  const BCube cube(3, 3);
  const Rank host(1 * 9 + 2 * 3 + 0);
  EXPECT_EQ(cube.label(cube.host(host)), "1,2,0");
  const auto at = [&](std::size_t port) { return cube.opposite({cube.host(host), Port(port)}); };
  EXPECT_EQ(cube.label(at(0).node), "level 0 switch 5");  // 1,2
  EXPECT_EQ(at(0).port, Port(0));
  EXPECT_EQ(cube.label(at(1).node), "level 1 switch 3");  // 1,0
  EXPECT_EQ(at(1).port, Port(2));
  EXPECT_EQ(cube.label(at(2).node), "level 2 switch 6");  // 2,0
  EXPECT_EQ(at(2).port, Port(1));
}

// Every cable joins a host and a switch, and the hosts of a switch differ in its level's digit
// only.
TEST(BCube, SwitchesJoinNeighbours) {
  const BCube cube(4, 3);
  for (std::size_t number = 0; number < cube.switches(); ++number) {
    const std::size_t level = number / 16;
    std::vector<Rank> on_switch;
    for (std::size_t port = 0; port < cube.n(); ++port) {
      const Attachment end = cube.opposite({cube.switch_node(number), Port(port)});
      ASSERT_TRUE(cube.is_host(end.node));
      EXPECT_EQ(end.port, Port(level));
      on_switch.emplace_back(end.node.index());
      EXPECT_EQ(cube.digit(on_switch.back(), level), port);
    }
    std::vector<Rank> others(on_switch.begin() + 1, on_switch.end());
    EXPECT_EQ(cube.neighbours(on_switch.front(), level), others);
  }
}

// BML, section 3.1: in BCube(3,2) a server has four one-hop neighbours.
TEST(BCube, EveryHostOf32HasFourOneHopNeighbours) {
  const BCube cube(3, 2);
  for (std::size_t from = 0; from < 9; ++from) {
    std::size_t one_hop = 0;
    for (std::size_t to = 0; to < 9; ++to) {
      if (to != from) one_hop += cube.route(Rank(from), Rank(to)).size() == 2 ? 1 : 0;
    }
    EXPECT_EQ(one_hop, 4u) << "rank " << from;
  }
}

// From 1,0,2 to 0,2,0 every digit differs: level 2 first, then 1, then 0, where it arrives.
TEST(BCube, CorrectsTheHighestDigitFirstAndThePortsDigitLast) {
  const BCube cube(3, 3);
  const Rank from(11);
  const Rank to(6);
  EXPECT_EQ(cube.arrival_port(from, to), Port(0));
  EXPECT_THAT(hosts_on(cube, cube.route(from, to)),
              ElementsAre(from, Rank(2), Rank(8), to));  // 0,0,2  0,2,2
  EXPECT_THAT(hosts_on(cube, cube.route(from, to, Port(2))),
              ElementsAre(from, Rank(17), Rank(15), to));  // 1,2,2  1,2,0
  EXPECT_THAT(hosts_on(cube, cube.route(from, to, Port(1))),
              ElementsAre(from, Rank(2), Rank(0), to));  // 0,0,2  0,0,0
}

TEST(BCube, ArrivesAtTheLowestLevelInWhichTheTwoDiffer) {
  const BCube cube(3, 3);
  EXPECT_EQ(cube.arrival_port(Rank(0), Rank(9)), Port(2));
  EXPECT_EQ(cube.arrival_port(Rank(0), Rank(12)), Port(1));
  EXPECT_EQ(cube.arrival_port(Rank(0), Rank(13)), Port(0));
}

// A route has one server hop per differing digit, and ends at the port it is addressed to wherever
// that port's digit differs.
TEST(BCube, RoutesAreShortest) {
  for (const auto& [n, k] : {std::pair<std::size_t, std::size_t>{3, 2}, {2, 4}, {4, 3}}) {
    const BCube cube(n, k);
    for (std::size_t a = 0; a < cube.hosts(); ++a) {
      for (std::size_t b = 0; b < cube.hosts(); ++b) {
        if (a == b) continue;
        std::size_t differing = 0;
        for (std::size_t l = 0; l < k; ++l) {
          differing += cube.digit(Rank(a), l) != cube.digit(Rank(b), l) ? 1 : 0;
        }
        for (std::size_t port = 0; port < k; ++port) {
          const std::vector<Hop> route = cube.route(Rank(a), Rank(b), Port(port));
          EXPECT_EQ(route.size(), 2 * differing);
          if (cube.digit(Rank(a), port) != cube.digit(Rank(b), port)) {
            EXPECT_EQ(cube.arrival(route.back()), (Attachment{cube.host(Rank(b)), Port(port)}));
          }
        }
        EXPECT_EQ(cube.arrival(cube.route(Rank(a), Rank(b)).back()).port,
                  cube.arrival_port(Rank(a), Rank(b)));
      }
    }
  }
}

TEST(BCube, NamesItsLevels) {
  const auto tiers = BCube(4, 2).tiers();
  ASSERT_EQ(tiers.size(), 2u);
  EXPECT_EQ(tiers[1].name, "level 1");
  EXPECT_EQ(tiers[1].first_switch, 4u);
  EXPECT_EQ(tiers[1].switches, 4u);
}

}  // namespace
}  // namespace gradwire::topologies
