#include "topologies/rail_optimised.h"

#include <gtest/gtest.h>

#include "topologies/cost.h"

namespace gradwire::topologies {
namespace {

TEST(RailOptimised, WiresOneLeafPerGroupAndRail) {
  const RailOptimised wiring({.groups = 3, .hosts = 4, .rails = 2, .spines = 5}, 2);
  EXPECT_EQ(wiring.hosts(), 12u);
  EXPECT_EQ(wiring.switches(), 6u + 5u);
  EXPECT_EQ(cost_of(wiring), (Cost{11, 24 + 60, 24, 24 + 30}));
  // Host 6 is host 2 of group 1, whose leaves are 2 and 3.
  EXPECT_EQ(wiring.label(NodeId(6)), "group 1 host 2");
  EXPECT_EQ(wiring.opposite({NodeId(6), Port(1)}), (Attachment{wiring.switch_node(3), Port(2)}));
  EXPECT_EQ(wiring.label(wiring.switch_node(3)), "group 1 leaf 1");
  const Attachment uplink{wiring.switch_node(3), Port(4 + 4)};
  EXPECT_EQ(wiring.opposite(uplink), (Attachment{wiring.switch_node(6 + 4), Port(3)}));
  EXPECT_EQ(wiring.label(wiring.switch_node(10)), "spine 4");
  EXPECT_EQ(wiring.speed_at(uplink), 2);
}

// Between groups: leaf i, the spine of the destination's number in its group, leaf i.
TEST(RailOptimised, RoutesStayOnTheRail) {
  const RailOptimised wiring({.groups = 3, .hosts = 4, .rails = 2, .spines = 3});
  for (std::size_t from = 0; from < 12; ++from) {
    for (std::size_t to = 0; to < 12; ++to) {
      for (std::size_t rail = 0; from != to && rail < 2; ++rail) {
        const auto hops = wiring.route(Rank(from), Rank(to), Port(rail));
        EXPECT_EQ(wiring.departure(hops.front()).port, Port(rail));
        EXPECT_EQ(wiring.arrival(hops.back()), (Attachment{NodeId(to), Port(rail)}));
        const NodeId first_leaf = wiring.switch_node(from / 4 * 2 + rail);
        EXPECT_EQ(wiring.arrival(hops[0]).node, first_leaf);
        ASSERT_EQ(hops.size(), from / 4 == to / 4 ? 2u : 4u);
        if (hops.size() == 2) continue;
        EXPECT_EQ(wiring.arrival(hops[1]).node, wiring.switch_node(6 + to % 4 % 3));
        EXPECT_EQ(wiring.arrival(hops[2]).node, wiring.switch_node(to / 4 * 2 + rail));
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::topologies
