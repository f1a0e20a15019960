#include "topologies/fat_tree.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/load.h"

namespace gradwire::topologies {
namespace {

TEST(FatTree, HasTheSizesOfThePaper) {
  const FatTree four(4);
  EXPECT_EQ(four.hosts(), 16u);
  EXPECT_EQ(four.switches(), 20u);
  EXPECT_EQ(four.ports_per_host(), 1u);
  EXPECT_EQ(four.ports_per_switch(), 4u);
  EXPECT_EQ(four.links().size(), 48u);

  const FatTree sixteen(16);
  EXPECT_EQ(sixteen.hosts(), 1024u);
  EXPECT_EQ(sixteen.switches(), 320u);
}

// Figure 3 of the paper: aggregation switch a of each pod serves core switches a p/2 and on, and a
// core switch has pod i on port i.
TEST(FatTree, WiresPodsToCores) {
  const FatTree tree(4);
  const auto up = [&](const char* from, std::size_t port) {
    for (std::size_t number = 0; number < tree.switches(); ++number) {
      const NodeId node = tree.switch_node(number);
      if (tree.label(node) == from) return tree.opposite({node, Port(port)});
    }
    throw InternalError("no such switch");
  };
  EXPECT_EQ(tree.label(up("pod 2 edge 1", 0).node), "pod 2 edge 1 host 0");
  EXPECT_EQ(tree.label(up("pod 2 edge 1", 2).node), "pod 2 aggregation 0");
  EXPECT_EQ(tree.label(up("pod 2 edge 1", 3).node), "pod 2 aggregation 1");
  EXPECT_EQ(up("pod 2 edge 1", 3).port, Port(1));
  EXPECT_EQ(tree.label(up("pod 2 aggregation 1", 2).node), "core 2");
  EXPECT_EQ(tree.label(up("pod 2 aggregation 1", 3).node), "core 3");
  EXPECT_EQ(up("pod 2 aggregation 1", 3).port, Port(2));
}

// Hosts of one edge switch are 2 hops apart, of one pod 4, of two pods 6.
TEST(FatTree, RoutesClimbNoHigherThanTheyMust) {
  for (const std::size_t p : {2u, 4u, 8u}) {
    const FatTree tree(p);
    for (std::size_t a = 0; a < tree.hosts(); ++a) {
      for (std::size_t b = 0; b < tree.hosts(); ++b) {
        if (a == b) continue;
        const auto from = tree.seat(Rank(a));
        const auto to = tree.seat(Rank(b));
        const std::size_t hops = from.pod != to.pod ? 6 : from.edge != to.edge ? 4 : 2;
        EXPECT_EQ(tree.route(Rank(a), Rank(b)).size(), hops);
      }
    }
  }
}

// Section 3.5: a switch reaches the hosts of other pods over uplinks chosen by the host's number,
// so that equally many hosts are behind each of its uplinks.
TEST(FatTree, SpreadsDestinationsOverUplinks) {
  const FatTree tree(8);
  for (std::size_t number = 0; number < tree.switches(); ++number) {
    const NodeId node = tree.switch_node(number);
    if (tree.place(node).layer == FatTree::Layer::core) continue;
    std::map<Port, std::size_t> behind;
    for (std::size_t host = 0; host < tree.hosts(); ++host) {
      if (tree.seat(Rank(host)).pod == tree.place(node).group) continue;
      ++behind[tree.next_port(node, Rank(host), Port(0))];
    }
    ASSERT_EQ(behind.size(), 4u);
    for (const auto& [port, hosts] : behind) {
      EXPECT_GE(port, Port(4)) << "uplinks are ports p/2..p-1";
      EXPECT_EQ(hosts, (128u - 16u) / 4u);
    }
  }
}

TEST(FatTree, NamesItsLayers) {
  const auto tiers = FatTree(4).tiers();
  ASSERT_EQ(tiers.size(), 3u);
  EXPECT_EQ(tiers[0].name, "edge");
  EXPECT_EQ(tiers[1].first_switch, 8u);
  EXPECT_EQ(tiers[2].name, "core");
  EXPECT_EQ(tiers[2].switches, 4u);
}

LinkLoad all_pairs(const Topology& topology) {
  LinkLoad load(topology);
  for (std::size_t from = 0; from < topology.hosts(); ++from) {
    for (std::size_t to = 0; to < topology.hosts(); ++to) {
      if (from != to) load.add(Rank(from), Rank(to), 1);
    }
  }
  return load;
}

TEST(FatTree, PlanesShareTheHostsAlone) {
  const FatTree two(4, {.nics = 2});
  EXPECT_EQ(two.name(), "fat-tree(4,nics=2)");
  EXPECT_EQ(two.hosts(), 16u);
  EXPECT_EQ(two.switches(), 40u);
  EXPECT_EQ(two.links().size(), 96u);
  EXPECT_EQ(two.label(two.opposite({NodeId(5), Port(1)}).node), "plane 1 pod 1 edge 0");
  for (std::size_t number = 0; number < two.switches(); ++number) {
    const NodeId node = two.switch_node(number);
    for (std::size_t port = 0; port < 4; ++port) {
      const Attachment other = two.opposite({node, Port(port)});
      const std::size_t plane =
          two.is_host(other.node) ? other.port.index() : two.place(other.node).plane;
      EXPECT_EQ(plane, two.place(node).plane);
    }
  }
}

// A plane is the Fat-Tree of one plane, switch for switch and route for route.
TEST(FatTree, EveryPlaneIsTheOneOfThePaper) {
  const FatTree one(4);
  const FatTree three(4, {.nics = 3});
  for (std::size_t from = 0; from < 16; ++from) {
    for (std::size_t to = 0; to < 16; ++to) {
      if (from == to) continue;
      for (std::size_t plane = 0; plane < 3; ++plane) {
        const auto hops = three.route(Rank(from), Rank(to), Port(plane));
        const auto expected = one.route(Rank(from), Rank(to));
        ASSERT_EQ(hops.size(), expected.size());
        for (std::size_t i = 0; i + 1 < hops.size(); ++i) {
          EXPECT_EQ(
              three.label(three.arrival(hops[i]).node),
              "plane " + std::to_string(plane) + " " + one.label(one.arrival(expected[i]).node));
        }
        EXPECT_EQ(three.arrival(hops.back()).port, Port(plane));
      }
    }
  }
}

// Each of 15 destinations is (to - from) mod 16 away: odd numbers take plane 1.
TEST(FatTree, SpreadsPairsOverPlanes) {
  const FatTree two(4, {.nics = 2});
  const LinkLoad load = all_pairs(two);
  for (std::size_t host = 0; host < 16; ++host) {
    const LinkId even = two.link_at({NodeId(host), Port(0)});
    const LinkId odd = two.link_at({NodeId(host), Port(1)});
    EXPECT_EQ(load.at({even, true}), 7u);
    EXPECT_EQ(load.at({even, false}), 7u);
    EXPECT_EQ(load.at({odd, true}), 8u);
    EXPECT_EQ(load.at({odd, false}), 8u);
  }
}

TEST(FatTree, EcmpDependsOnTheSeedAlone) {
  const auto routes = [](std::uint64_t seed) {
    const FatTree tree(8, {.ecmp = Ecmp{seed}});
    std::vector<std::vector<Hop>> all;
    for (std::size_t to = 1; to < 128; ++to) all.push_back(tree.route(Rank(0), Rank(to)));
    return all;
  };
  EXPECT_EQ(routes(3), routes(3));
  EXPECT_NE(routes(3), routes(4));
  EXPECT_FALSE(FatTree(8, {.ecmp = Ecmp{}}).routes_by_destination());
  EXPECT_TRUE(FatTree(8, {.nics = 2}).routes_by_destination());
}

// 4 hosts below an edge send 124 flows each to other edges, over 4 uplinks: 124 on average, with a
// standard deviation of 10.
TEST(FatTree, EcmpSpreadsFlowsRoughly) {
  const FatTree tree(8, {.ecmp = Ecmp{}});
  const LinkLoad load = all_pairs(tree);
  std::set<std::uint64_t> loads;
  for (std::size_t number = 0; number < tree.links().size(); ++number) {
    const Link& link = tree.links()[number];
    if (tree.is_host(link.a.node) || tree.place(link.a.node).layer != FatTree::Layer::edge)
      continue;
    loads.insert(load.at({LinkId(number), true}));
  }
  EXPECT_GT(*loads.begin(), 124u - 50u);
  EXPECT_LT(*loads.rbegin(), 124u + 50u);
  EXPECT_GT(loads.size(), 5u) << "and unevenly, unlike routes by destination";
  EXPECT_EQ(all_pairs(FatTree(8)).max(), 127u);
  EXPECT_GT(load.max(), 140u) << "flows collide";
}

TEST(FatTree, RefusesOddAndTooLarge) {
  EXPECT_THROW(FatTree(3), InputError);
  EXPECT_THROW(FatTree(0), InputError);
  EXPECT_EQ(FatTree(158).hosts(), 986'078u);
  EXPECT_THROW(FatTree(160), InputError);  // 1,024,000 hosts
}

}  // namespace
}  // namespace gradwire::topologies
