#include "topologies/gray.h"

#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::topologies {
namespace {

using ::testing::ElementsAre;

std::vector<std::size_t> order(const Digits& digits, std::size_t first_level) {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < digits.count(); ++i) {
    ranks.push_back(gray_rank(digits, i, first_level).index());
  }
  return ranks;
}

TEST(Gray, StartsWithTheDigitItIsTold) {
  EXPECT_THAT(order(Digits(3, 2), 0), ElementsAre(0, 1, 2, 5, 3, 4, 7, 8, 6));
  EXPECT_THAT(order(Digits(3, 2), 1), ElementsAre(0, 3, 6, 7, 1, 4, 5, 8, 2));
}

TEST(Gray, EveryRankStandsOnceAndNeighboursDifferInOneDigit) {
  for (const Digits& digits : {Digits(2, 1), Digits(3, 2), Digits(2, 3), Digits(4, 3)}) {
    for (std::size_t first = 0; first < digits.k(); ++first) {
      const std::vector<std::size_t> ranks = order(digits, first);
      EXPECT_EQ(std::set(ranks.begin(), ranks.end()).size(), digits.count());
      for (std::size_t i = 0; i < ranks.size(); ++i) {
        EXPECT_EQ(gray_index(digits, Rank(ranks[i]), first), i);
        const Rank next(ranks[(i + 1) % ranks.size()]);
        std::size_t differ = 0;
        for (std::size_t level = 0; level < digits.k(); ++level) {
          differ += digits.digit(Rank(ranks[i]), level) != digits.digit(next, level) ? 1 : 0;
        }
        EXPECT_EQ(differ, 1u);
      }
    }
  }
}

}  // namespace
}  // namespace gradwire::topologies
