#include "collectives/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::collectives {
namespace {

using ::testing::ElementsAre;

Group group(std::initializer_list<std::size_t> ranks) {
  Group group;
  for (const std::size_t rank : ranks) group.emplace_back(rank);
  return group;
}

TEST(Grid, HasRowsAndColumns) {
  EXPECT_THAT(groups_along({4, 2}, 0), ElementsAre(group({0, 2, 4, 6}), group({1, 3, 5, 7})));
  EXPECT_THAT(groups_along({4, 2}, 1),
              ElementsAre(group({0, 1}), group({2, 3}), group({4, 5}), group({6, 7})));
}

// Place (i, j, k) of 2 x 3 x 2 is rank 6i + 2j + k.
TEST(Grid, HasGroupsAlongEachDimension) {
  EXPECT_THAT(groups_along({2, 3, 2}, 0),
              ElementsAre(group({0, 6}), group({1, 7}), group({2, 8}), group({3, 9}),
                          group({4, 10}), group({5, 11})));
  EXPECT_THAT(groups_along({2, 3, 2}, 1), ElementsAre(group({0, 2, 4}), group({1, 3, 5}),
                                                      group({6, 8, 10}), group({7, 9, 11})));
  EXPECT_EQ(groups_along({2, 3, 2}, 2).back(), group({10, 11}));
  EXPECT_THROW(static_cast<void>(groups_along({2, 3}, 2)), InternalError);
}

}  // namespace
}  // namespace gradwire::collectives
