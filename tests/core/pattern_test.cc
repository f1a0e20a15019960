#include "core/pattern.h"

#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace gradwire {
namespace {

std::vector<Rank> first_ranks(std::size_t count) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < count; ++i) ranks.emplace_back(i);
  return ranks;
}

// sum(e) = sum over r of value(r, e), exactly, in either order of addition.
TEST(Pattern, SumIsTheSumInAnyOrder) {
  for (const std::size_t count : {1u, 2u, 9u, 16u, 81u, 2048u}) {
    const auto ranks = first_ranks(count);
    const Pattern pattern(ranks, 3);
    for (const std::size_t element : {0u, 1u, 17u, 3'274'633u}) {
      float up = 0;
      float down = 0;
      for (std::size_t i = 0; i < count; ++i) {
        up += pattern.value(ranks[i], element);
        down += pattern.value(ranks[count - 1 - i], element);
      }
      EXPECT_EQ(up, pattern.sum(element)) << count << " ranks, element " << element;
      EXPECT_EQ(down, pattern.sum(element));
      EXPECT_LT(up, 1 << 24);
    }
  }
}

TEST(Pattern, RanksNeighboursAndIterationsDiffer) {
  const auto ranks = first_ranks(9);
  const Pattern pattern(ranks, 0);
  std::set<float> values;
  for (const Rank rank : ranks) values.insert(pattern.value(rank, 5));
  EXPECT_EQ(values.size(), ranks.size());
  EXPECT_NE(pattern.value(Rank(0), 5), pattern.value(Rank(0), 6));
  EXPECT_NE(pattern.value(Rank(0), 5), Pattern(ranks, 1).value(Rank(0), 5));
}

TEST(Pattern, RanksDifferAlsoWhenThereIsLittleRoom) {
  const auto ranks = first_ranks(Pattern::kMostRanks);
  const Pattern pattern(ranks, 0);
  std::set<float> values;
  for (const Rank rank : ranks) values.insert(pattern.value(rank, 0));
  EXPECT_EQ(values.size(), ranks.size());
}

TEST(Pattern, CountsWhatIsWrong) {
  const auto ranks = first_ranks(4);
  const Pattern pattern(ranks, 7);
  std::vector<float> sums(1000);
  for (std::size_t e = 0; e < sums.size(); ++e) sums[e] = pattern.sum(e);
  EXPECT_EQ(pattern.count_wrong(sums), 0u);
  std::swap(sums[10], sums[11]);
  sums[999] += 1;
  EXPECT_EQ(pattern.count_wrong(sums), 3u);
}

TEST(Pattern, FillGivesTheRanksValues) {
  const auto ranks = first_ranks(3);
  const Pattern pattern(ranks, 2);
  std::vector<float> gradient(100);
  pattern.fill(gradient, Rank(1));
  for (std::size_t e = 0; e < gradient.size(); ++e) {
    EXPECT_EQ(gradient[e], pattern.value(Rank(1), e));
  }
}

// A NaN compares with nothing, and is damage like any other value.
TEST(Pattern, FindsTheFirstElementThatIsNotAsItWasFilled) {
  const auto ranks = first_ranks(3);
  const Pattern pattern(ranks, 2);
  std::vector<float> gradient(100);
  pattern.fill(gradient, Rank(1));
  EXPECT_EQ(pattern.find_damaged(gradient, Rank(1)), std::nullopt);
  EXPECT_EQ(pattern.find_damaged(gradient, Rank(2)), std::size_t{0});
  gradient[70] += 1;
  gradient[30] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(pattern.find_damaged(gradient, Rank(1)), std::size_t{30});
}

// A dedicated parameter server contributes nothing: only the listed ranks count.
TEST(Pattern, OnlyContributorsCount) {
  const std::vector<Rank> workers{Rank(1), Rank(2)};
  const Pattern pattern(workers, 0);
  EXPECT_EQ(pattern.sum(9), pattern.value(Rank(1), 9) + pattern.value(Rank(2), 9));
}

// As users expect of a seed; what makes sums exact does not go by it.
TEST(Pattern, ASeedGivesOtherGradients) {
  const std::vector<Rank> ranks{Rank(0), Rank(1), Rank(2)};
  const Pattern first(ranks, 4, 1);
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{1} << 62}) {
    const Pattern other(ranks, 4, seed);
    std::size_t same = 0;
    for (std::size_t e = 0; e < 1000; ++e) {
      same += first.value(Rank(1), e) == other.value(Rank(1), e) ? 1 : 0;
      const float sum = other.value(Rank(0), e) + other.value(Rank(1), e) + other.value(Rank(2), e);
      ASSERT_EQ(sum, other.sum(e)) << seed;
    }
    EXPECT_LT(same, 10u) << seed;
  }
  EXPECT_EQ(first.value(Rank(1), 5), Pattern(ranks, 4, 1).value(Rank(1), 5));
}

}  // namespace
}  // namespace gradwire
