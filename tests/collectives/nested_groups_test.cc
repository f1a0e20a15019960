#include "collectives/nested_groups.h"

#include <vector>

#include "core/error.h"
#include "tests/collectives/plans.h"
#include "topologies/registry.h"

/// Groups within groups whose members stand anywhere.
namespace gradwire::collectives {
namespace {

using testing::make_topology;
using testing::transfers;

/// Positions 0..3 are ranks 3, 2, 1, 0 of four.
std::vector<Plan> reversed_plans(const topologies::Topology& topology, std::size_t elements) {
  return testing::plans_of(topology, [&](Rank rank) {
    return Plan{.lanes = {scatter_and_gather(
                    {.topology = topology,
                     .self = rank,
                     .position = 3 - rank.index(),
                     .sizes = {2, 2},
                     .rank_of = [](std::size_t position) { return Rank(3 - position); }},
                    elements)}};
  });
}

TEST(NestedGroups, PositionsNeedNotBeRanks) {
  const auto topology = make_topology("single-switch(4)");
  const auto plans = reversed_plans(*topology, 4);
  EXPECT_THAT(check_plans(plans, 4), ::testing::IsEmpty());
  EXPECT_THAT(transfers(plans, 1),
              ::testing::ElementsAre("2 -> 0: [3,4) add", "3 -> 1: [1,2) add", "0 -> 2: [2,3) add",
                                     "1 -> 3: [0,1) add"));
}

TEST(NestedGroups, WithoutLevelsNothingIsSent) {
  const auto topology = make_topology("single-switch(2)");
  const NestedGroups alone{.topology = *topology,
                           .self = Rank(0),
                           .position = 0,
                           .sizes = {},
                           .rank_of = [](std::size_t position) { return Rank(position); }};
  EXPECT_TRUE(scatter_and_gather(alone, 100).empty());
}

// Ten elements in four parts are 3 + 3 + 2 + 2; in two they are 5 + 5.
TEST(NestedGroups, TwoPositionsMayHoldFourParts) {
  EXPECT_EQ(part_at({2}, 10, 0), (Extent{0, 5}));
  EXPECT_EQ(part_at({2}, 10, 0, 4), (Extent{0, 6}));
  EXPECT_EQ(part_at({2}, 10, 1, 4), (Extent{6, 4}));
  EXPECT_THROW(static_cast<void>(part_at({2}, 10, 0, 3)), InternalError);
}

TEST(NestedGroups, RefuseAPositionThatDoesNotExist) {
  const auto topology = make_topology("single-switch(4)");
  const NestedGroups beyond{.topology = *topology,
                            .self = Rank(0),
                            .position = 4,
                            .sizes = {2, 2},
                            .rank_of = [](std::size_t position) { return Rank(position); }};
  EXPECT_THROW(static_cast<void>(scatter_and_gather(beyond, 100)), InternalError);
}

}  // namespace
}  // namespace gradwire::collectives
