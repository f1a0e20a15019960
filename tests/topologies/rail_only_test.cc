#include "topologies/rail_only.h"

#include <gtest/gtest.h>

#include "topologies/cost.h"
#include "topologies/load.h"

namespace gradwire::topologies {
namespace {

TEST(RailOnly, JoinsThePortsOfOneNumber) {
  const RailOnly wiring(5, 3);
  EXPECT_EQ(cost_of(wiring), (Cost{3, 15, 15, 15}));
  for (std::size_t host = 0; host < 5; ++host) {
    for (std::size_t rail = 0; rail < 3; ++rail) {
      EXPECT_EQ(wiring.opposite({NodeId(host), Port(rail)}),
                (Attachment{wiring.switch_node(rail), Port(host)}));
    }
  }
  EXPECT_EQ(wiring.label(wiring.switch_node(2)), "rail 2");
}

TEST(RailOnly, RoutesStayOnTheRail) {
  const RailOnly wiring(5, 3);
  for (std::size_t rail = 0; rail < 3; ++rail) {
    const auto hops = wiring.route(Rank(4), Rank(1), Port(rail));
    ASSERT_EQ(hops.size(), 2u);
    EXPECT_EQ(wiring.departure(hops[0]), (Attachment{NodeId(4), Port(rail)}));
    EXPECT_EQ(wiring.arrival(hops[1]), (Attachment{NodeId(1), Port(rail)}));
  }
}

// 6 others, 2 for each of 3 rails.
TEST(RailOnly, SpreadsAllPairsEvenly) {
  const RailOnly wiring(7, 3);
  LinkLoad load(wiring);
  for (std::size_t from = 0; from < 7; ++from) {
    for (std::size_t to = 0; to < 7; ++to) {
      if (from != to) load.add(Rank(from), Rank(to), 1);
    }
  }
  for (std::size_t link = 0; link < wiring.links().size(); ++link) {
    EXPECT_EQ(load.at({LinkId(link), true}), 2u);
    EXPECT_EQ(load.at({LinkId(link), false}), 2u);
  }
}

}  // namespace
}  // namespace gradwire::topologies
