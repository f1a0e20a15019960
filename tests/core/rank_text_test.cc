#include "core/rank_text.h"

#include <vector>

#include <gtest/gtest.h>

namespace gradwire {
namespace {

TEST(RankText, JoinsThoseThatFollowEachOther) {
  EXPECT_EQ(rank_text(std::vector<std::size_t>{0, 1, 2, 5, 7, 8}), "0-2, 5, 7-8");
  EXPECT_EQ(rank_text(std::vector<std::size_t>{3}), "3");
  EXPECT_EQ(rank_text({}), "");
}

TEST(RankText, CountsWhatIsCut) {
  const std::vector<std::size_t> ranks{0, 1, 2, 5, 7, 8};
  EXPECT_EQ(rank_text(ranks, 1), "0-2 and 3 more");
  EXPECT_EQ(rank_text(ranks, 2), "0-2, 5 and 2 more");
  EXPECT_EQ(rank_text(ranks, 3), "0-2, 5, 7-8");
}

}  // namespace
}  // namespace gradwire
