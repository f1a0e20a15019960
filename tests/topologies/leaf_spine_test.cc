#include "topologies/leaf_spine.h"

#include <gtest/gtest.h>

#include "topologies/cost.h"
#include "topologies/load.h"

namespace gradwire::topologies {
namespace {

TEST(LeafSpine, WiresEveryLeafToEverySpine) {
  const LeafSpine wiring(3, 4, 2, {.speed = 2.5});
  EXPECT_EQ(wiring.hosts(), 12u);
  EXPECT_EQ(wiring.switches(), 5u);
  EXPECT_EQ(wiring.ports_of(wiring.switch_node(0)), 6u);
  EXPECT_EQ(wiring.ports_of(wiring.switch_node(4)), 3u);
  EXPECT_EQ(cost_of(wiring), (Cost{5, 12 + 12, 12, 12 + 6}));
  EXPECT_EQ(wiring.opposite({NodeId(9), Port(0)}), (Attachment{wiring.switch_node(2), Port(1)}));
  EXPECT_EQ(wiring.label(NodeId(9)), "leaf 2 host 1");
  const Attachment uplink{wiring.switch_node(2), Port(5)};
  EXPECT_EQ(wiring.opposite(uplink), (Attachment{wiring.switch_node(4), Port(2)}));
  EXPECT_EQ(wiring.label(wiring.switch_node(4)), "spine 1");
  EXPECT_EQ(wiring.speed_at(uplink), 2.5);
  EXPECT_EQ(wiring.speed_at({NodeId(9), Port(0)}), 1);
  EXPECT_DOUBLE_EQ(wiring.oversubscription(), 0.8);
}

// Hosts 4..7 are on leaf 1: numbers 0 to 3, spines 0, 1, 0, 1.
TEST(LeafSpine, ChoosesTheSpineByTheDestinationsNumber) {
  const LeafSpine wiring(3, 4, 2);
  for (std::size_t to = 4; to < 8; ++to) {
    const auto hops = wiring.route(Rank(1), Rank(to));
    ASSERT_EQ(hops.size(), 4u);
    EXPECT_EQ(wiring.arrival(hops[1]).node, wiring.switch_node(3 + to % 2));
  }
  EXPECT_EQ(wiring.route(Rank(5), Rank(6)).size(), 2u) << "one leaf";
}

TEST(LeafSpine, EcmpSpreadsFlowsOverAllSpines) {
  const LeafSpine wiring(2, 64, 4, {.ecmp = Ecmp{7}});
  EXPECT_FALSE(wiring.routes_by_destination());
  LinkLoad load(wiring);
  for (std::size_t from = 0; from < 64; ++from) {
    for (std::size_t to = 64; to < 128; ++to) load.add(Rank(from), Rank(to), 1);
  }
  // 4096 flows over four: 1024 on average, with a standard deviation of 28.
  for (std::size_t spine = 0; spine < 4; ++spine) {
    const LinkId uplink = wiring.link_at({wiring.switch_node(0), Port(64 + spine)});
    EXPECT_NEAR(static_cast<double>(load.at({uplink, true})), 1024, 140);
  }
  EXPECT_NE(wiring.route(Rank(0), Rank(64)),
            LeafSpine(2, 64, 4, {.ecmp = Ecmp{8}}).route(Rank(0), Rank(64)))
      << "these two seeds take different spines";
}

}  // namespace
}  // namespace gradwire::topologies
