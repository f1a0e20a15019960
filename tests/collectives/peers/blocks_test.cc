#include "collectives/peers/blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/goal.h"

namespace gradwire::peers {
namespace {

// Libraries are told of the same blocks as core/goal.h says that an all-to-all moves.
TEST(Blocks, AreThoseOfTheGoal) {
  constexpr std::size_t kRanks = 3;
  const Goal goal = all_to_all(kRanks, 11);
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    const Group group{.self = Rank(rank), .ranks = kRanks};
    EXPECT_EQ(merged(blocks_to_each({0, 11}, group)), goal.begins[rank]);
    EXPECT_EQ(merged(blocks_from_each({0, 11}, group)), merged(goal.ends[rank]));
  }
  EXPECT_EQ(merged(parts_of({0, 11}, kRanks)), (std::vector{Extent{0, 11}}));
}

TEST(Blocks, AreUnpackedToWhereTheyBelong) {
  const std::vector<float> packed{1, 2, 3};
  std::vector<float> gradient(6, 0.0F);
  const std::vector<Extent> extents{{4, 1}, {2, 0}, {0, 2}};
  EXPECT_EQ(count_of(extents), 3u);
  unpack(packed, extents, gradient);
  EXPECT_THAT(gradient, ::testing::ElementsAre(2, 3, 0, 0, 1, 0));
}

// A reduce-scatter of Gloo leaves a part at the beginning; parts may overlap where they go.
TEST(Blocks, MayOverlapWhereTheyGo) {
  std::vector<float> gradient{1, 2, 3, 0};
  const Extent own{1, 3};
  unpack(std::span(gradient).first(3), {&own, 1}, gradient);
  EXPECT_THAT(gradient, ::testing::ElementsAre(1, 1, 2, 3));
}

}  // namespace
}  // namespace gradwire::peers
