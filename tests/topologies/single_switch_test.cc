#include "topologies/single_switch.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::topologies {
namespace {

TEST(SingleSwitch, PutsHostIOnPortI) {
  const SingleSwitch star(9);
  EXPECT_EQ(star.hosts(), 9u);
  EXPECT_EQ(star.switches(), 1u);
  EXPECT_EQ(star.ports_per_host(), 1u);
  EXPECT_EQ(star.links().size(), 9u);
  EXPECT_EQ(star.label(star.switch_node(0)), "switch");
  for (std::size_t host = 0; host < 9; ++host) {
    EXPECT_EQ(star.opposite({NodeId(host), Port(0)}),
              (Attachment{star.switch_node(0), Port(host)}));
  }
}

TEST(SingleSwitch, RoutesUpAndDown) {
  const SingleSwitch star(5);
  const std::vector<Hop> route = star.route(Rank(4), Rank(1));
  ASSERT_EQ(route.size(), 2u);
  EXPECT_EQ(route[0], (Hop{LinkId(4), true}));
  EXPECT_EQ(route[1], (Hop{LinkId(1), false}));
}

TEST(SingleSwitch, NeedsTwoHosts) {
  EXPECT_THROW(SingleSwitch(1), InputError);
  EXPECT_THROW(SingleSwitch(kMaxHosts + 1), InputError);
  EXPECT_EQ(SingleSwitch(2).hosts(), 2u);
}

}  // namespace
}  // namespace gradwire::topologies
