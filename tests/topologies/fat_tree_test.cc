#include "topologies/fat_tree.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"

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

TEST(FatTree, RefusesOddAndTooLarge) {
  EXPECT_THROW(FatTree(3), InputError);
  EXPECT_THROW(FatTree(0), InputError);
  EXPECT_EQ(FatTree(158).hosts(), 986'078u);
  EXPECT_THROW(FatTree(160), InputError);  // 1,024,000 hosts
}

}  // namespace
}  // namespace gradwire::topologies
