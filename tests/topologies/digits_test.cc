#include "topologies/digits.h"

#include <limits>
#include <set>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/sizes.h"
#include "topologies/topology.h"

namespace gradwire::topologies {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

TEST(ProductUpTo, IsExactUpToTheLimitAndNothingBeyond) {
  const std::size_t factors[] = {10, 10, 10};
  EXPECT_EQ(product_up_to(1000, factors), 1000u);
  EXPECT_EQ(product_up_to(999, factors), std::nullopt);
}

TEST(ProductUpTo, DoesNotWrapAround) {
  const std::size_t wraps_to_zero[] = {std::size_t{1} << 32, std::size_t{1} << 32};
  EXPECT_EQ(product_up_to(kHuge, wraps_to_zero), std::nullopt);
  const std::size_t empty_after_huge[] = {0, kHuge, kHuge};
  EXPECT_EQ(product_up_to(5, empty_after_huge), 0u);
}

// 46 = 1 * 27 + 2 * 9 + 0 * 3 + 1: "1,2,0,1" to the base 3.
TEST(Digits, ReadsAndReplacesDigits) {
  const Digits digits(3, 4);
  EXPECT_EQ(digits.count(), 81u);
  const Rank rank(46);
  EXPECT_EQ(digits.digit(rank, 0), 1u);
  EXPECT_EQ(digits.digit(rank, 1), 0u);
  EXPECT_EQ(digits.digit(rank, 2), 2u);
  EXPECT_EQ(digits.digit(rank, 3), 1u);
  EXPECT_EQ(digits.with_digit(rank, 2, 0), Rank(28));
  EXPECT_EQ(digits.with_digit(rank, 1, 2), Rank(52));
}

// "1,2,0,1" without digit 2 is "1,0,1" = 10.
TEST(Digits, StrikesOutADigit) {
  const Digits digits(3, 4);
  EXPECT_EQ(digits.without_digit(Rank(46), 2), 10u);
  EXPECT_EQ(digits.without_digit(Rank(46), 0), 15u);
  EXPECT_EQ(digits.without_digit(Rank(46), 3), 19u);
}

// (what remains, the digit) names a rank: the map is one to one and fills n^(k-1) x n.
TEST(Digits, WithoutDigitAndDigitTogetherNameTheRank) {
  const Digits digits(4, 3);
  for (std::size_t level = 0; level < digits.k(); ++level) {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (std::size_t rank = 0; rank < digits.count(); ++rank) {
      const std::size_t rest = digits.without_digit(Rank(rank), level);
      EXPECT_LT(rest, digits.power(2));
      seen.emplace(rest, digits.digit(Rank(rank), level));
    }
    EXPECT_EQ(seen.size(), digits.count());
  }
}

TEST(Digits, NeighboursDifferInOneDigitOnly) {
  const Digits digits(3, 2);
  EXPECT_THAT(digits.neighbours(Rank(5), 0), ElementsAre(Rank(3), Rank(4)));
  EXPECT_THAT(digits.neighbours(Rank(5), 1), ElementsAre(Rank(2), Rank(8)));
}

TEST(Digits, RefusesWhatIsTooSmallOrTooLarge) {
  EXPECT_THROW(Digits(1, 2), InputError);
  EXPECT_THROW(Digits(0, 2), InputError);
  EXPECT_THROW(Digits(2, 0), InputError);
  EXPECT_THROW(Digits(kHuge, 2), InputError);
  EXPECT_THROW(Digits(2, kHuge), InputError);
  EXPECT_EQ(Digits(1000, 2).count(), kMaxHosts);
  EXPECT_THROW(Digits(1001, 2), InputError);
}

}  // namespace
}  // namespace gradwire::topologies
