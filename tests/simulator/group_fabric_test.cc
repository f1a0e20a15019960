#include "simulator/group_fabric.h"

#include <gtest/gtest.h>

#include "collectives/direct.h"
#include "core/error.h"
#include "tests/simulator/plans.h"

namespace gradwire::simulator {
namespace {

using testing::make_topology;

TEST(GroupFabric, NumbersMembersByTheirPlaces) {
  const auto topology = make_topology("fat-tree(4)");
  const WholeFabric whole(*topology);
  const Group group{Rank(9), Rank(2), Rank(14)};
  const GroupFabric fabric(whole, group);
  EXPECT_EQ(fabric.actors(), 3U);
  const collectives::Member self{.topology = *topology, .group = group, .place = 0};
  const Plan plan = collectives::direct::plan(self, broadcast(3, 6, Rank(0)));
  const Peer& last = plan.lanes.front().front().sends.back().to;
  ASSERT_EQ(last.rank, Rank(14));
  EXPECT_EQ(fabric.opposite(0, last).actor, 2U);
  EXPECT_EQ(fabric.opposite(0, last).as.rank, Rank(9));
  EXPECT_EQ(fabric.route(0, last).size(), whole.route(9, last).size());
  EXPECT_EQ(fabric.route(0, last).front().link, whole.route(9, last).front().link);
}

TEST(GroupFabric, HasNoPeersOutside) {
  const auto topology = make_topology("single-switch(4)");
  const WholeFabric whole(*topology);
  const GroupFabric fabric(whole, Group{Rank(0), Rank(1)});
  EXPECT_THROW(std::ignore = fabric.opposite(0, {.rank = Rank(3), .via = Port(), .at = Port()}),
               InternalError);
}

}  // namespace
}  // namespace gradwire::simulator
