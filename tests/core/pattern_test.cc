#include "core/pattern.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

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
        up += static_cast<float>(pattern.value(ranks[i], element));
        down += static_cast<float>(pattern.value(ranks[count - 1 - i], element));
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
  std::set<double> values;
  for (const Rank rank : ranks) values.insert(pattern.value(rank, 5));
  EXPECT_EQ(values.size(), ranks.size());
  EXPECT_NE(pattern.value(Rank(0), 5), pattern.value(Rank(0), 6));
  EXPECT_NE(pattern.value(Rank(0), 5), Pattern(ranks, 1).value(Rank(0), 5));
}

TEST(Pattern, RanksDifferAlsoWhenThereIsLittleRoom) {
  const auto ranks = first_ranks(Pattern::kMostRanks);
  const Pattern pattern(ranks, 0);
  std::set<double> values;
  for (const Rank rank : ranks) values.insert(pattern.value(rank, 0));
  EXPECT_EQ(values.size(), ranks.size());
}

TEST(Pattern, CountsWhatIsWrong) {
  const auto ranks = first_ranks(4);
  const Pattern pattern(ranks, 7);
  std::vector<float> sums(1000);
  for (std::size_t e = 0; e < sums.size(); ++e) sums[e] = static_cast<float>(pattern.sum(e));
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

/// What the ranks of a goal that begin with an element hold of it, added up.
double sum_of_beginners(const Pattern& pattern, const Goal& goal, std::size_t element) {
  double sum = 0;
  for (std::size_t i = 0; i < goal.begins.size(); ++i) {
    for (const Extent& extent : goal.begins[i]) {
      const bool begins = extent.first <= element && element < extent.end();
      if (begins) sum += pattern.value(Rank(i), element);
    }
  }
  return sum;
}

// sum(e) = sum of value(r, e) over the ranks that begin with e, whatever the goal; and
// count_wrong() of a part takes them, element by element.
TEST(Pattern, SumsOfAGoalAreThoseOfWhoBegins) {
  const Goal uneven{
      .elements = 10, .begins = {{{0, 4}, {8, 1}}, {{2, 6}}, {}}, .ends = {{}, {}, {{0, 10}}}};
  for (const Goal& goal : {all_reduce(5, 30), all_gather(equal_parts(5, 33)),
                           reduce_scatter(equal_parts(5, 33)), broadcast(5, 30, Rank(3)),
                           all_to_all(5, std::size_t{60}), send(7), uneven, all_reduce(3, 0)}) {
    Pattern pattern(goal, 11);
    for (const std::size_t iteration : {0u, 4u}) {
      pattern.turn_to(iteration);
      std::vector<float> sums;
      for (std::size_t e = 0; e < goal.elements; ++e) {
        sums.push_back(static_cast<float>(sum_of_beginners(pattern, goal, e)));
        EXPECT_EQ(pattern.sum(e), sums.back()) << "element " << e << " of " << goal.elements;
      }
      EXPECT_EQ(pattern.count_wrong(sums), 0u);
      if (sums.size() < 3) continue;
      sums[2] += 1;
      EXPECT_EQ(pattern.count_wrong(std::span(sums).subspan(1), 1), 1u);
      EXPECT_EQ(pattern.count_wrong(std::span(sums).subspan(3), 3), 0u);
    }
  }
}

/// The values of what a rank fills in.
std::vector<double> filled(const Pattern& pattern, Dtype type, Rank rank, const Extent& where) {
  const ElementBuffer buffer(type, where.count);
  pattern.fill(buffer.elements(), rank, where.first);
  EXPECT_EQ(pattern.find_damaged(buffer.elements(), rank, where.first), std::nullopt);
  std::vector<double> values;
  for (std::size_t e = 0; e < where.count; ++e) values.push_back(value_at(buffer.elements(), e));
  return values;
}

// sum(e) = sum of value(r, e), each partial sum a number that the type holds: in any order.
TEST(Pattern, PartialSumsOfEveryTypeAreExact) {
  const std::vector<std::pair<Dtype, double>> types{{Dtype::float32, 0x1p24},
                                                    {Dtype::float64, 0x1p53},
                                                    {Dtype::float16, 0x1p11},
                                                    {Dtype::bfloat16, 0x1p8}};
  for (const auto& [type, most] : types) {
    for (const std::size_t ranks : {1u, 3u, 9u, 128u, 2048u}) {
      const Pattern pattern(all_reduce(ranks, 40), 5, type);
      std::vector<double> sums(40);
      for (std::size_t i = 0; i < ranks; ++i) {
        const auto values = filled(pattern, type, Rank(i), {.count = 40});
        for (std::size_t e = 0; e < 40; ++e) {
          EXPECT_EQ(values[e], pattern.value(Rank(i), e));
          sums[e] += values[e];
        }
      }
      for (std::size_t e = 0; e < 40; ++e) {
        EXPECT_EQ(sums[e], pattern.sum(e)) << to_string(type) << ", " << ranks << " ranks";
        EXPECT_LE(sums[e], most);
      }
    }
  }
}

// Sums of whole numbers wrap, and come to the same in any order.
TEST(Pattern, WholeNumbersWrap) {
  const Pattern pattern(all_reduce(9, 100), 5, Dtype::int32);
  std::vector<std::uint32_t> sums(100);
  for (std::size_t i = 0; i < 9; ++i) {
    const ElementBuffer buffer(Dtype::int32, 100);
    pattern.fill(buffer.elements(), Rank(i));
    const auto values = buffer.elements().as<std::uint32_t>();
    for (std::size_t e = 0; e < 100; ++e) sums[e] += values[e];
  }
  EXPECT_EQ(pattern.count_wrong(Elements(std::as_writable_bytes(std::span(sums)), Dtype::int32)),
            0u);
  EXPECT_TRUE(std::ranges::any_of(sums, [](std::uint32_t sum) { return sum > 1U << 31; }));
}

// Neighbours, iterations and ranks differ in most elements, also where a half has few values.
TEST(Pattern, HalvesDifferToo) {
  for (const Dtype type : {Dtype::float16, Dtype::bfloat16, Dtype::byte}) {
    const bool moves = type == Dtype::byte;
    const Goal goal = moves ? all_gather(equal_parts(9, 9000)) : all_reduce(9, 9000);
    Pattern pattern(goal, 0, type);
    std::vector<double> now;
    for (std::size_t e = 0; e < 9000; ++e) now.push_back(pattern.sum(e));
    pattern.turn_to(1);
    std::size_t same = 0;
    std::size_t neighbours = 0;
    for (std::size_t e = 0; e < 9000; ++e) {
      same += now[e] == pattern.sum(e) ? 1 : 0;
      neighbours += e > 0 && now[e] == now[e - 1] ? 1 : 0;
    }
    EXPECT_LT(same, 300u) << to_string(type);
    EXPECT_LT(neighbours, 300u) << to_string(type);
  }
  EXPECT_THROW(Pattern(all_reduce(2, 10), 0, Dtype::byte), InternalError) << "never added";
}

// Where every rank contributes to every element, both are one.
TEST(Pattern, AGoalsGradientsAreThoseOfItsContributors) {
  const auto ranks = first_ranks(4);
  Pattern goal(all_reduce(4, 50), 3);
  goal.turn_to(6);
  const Pattern pattern(ranks, 6, 3);
  for (std::size_t e = 0; e < 50; ++e) {
    EXPECT_EQ(goal.value(Rank(2), e), pattern.value(Rank(2), e));
    EXPECT_EQ(goal.sum(e), pattern.sum(e));
  }
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
      const double sum =
          other.value(Rank(0), e) + other.value(Rank(1), e) + other.value(Rank(2), e);
      ASSERT_EQ(sum, other.sum(e)) << seed;
    }
    EXPECT_LT(same, 10u) << seed;
  }
  EXPECT_EQ(first.value(Rank(1), 5), Pattern(ranks, 4, 1).value(Rank(1), 5));
}

}  // namespace
}  // namespace gradwire
