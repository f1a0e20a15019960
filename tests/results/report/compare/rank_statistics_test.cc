#include "results/report/compare/rank_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::report {
namespace {

using Values = std::vector<double>;

/// Samples of n and m values, none equal, with the given U: each b stands above as many a as U
/// still needs.
std::pair<Values, Values> samples_with(std::size_t n, std::size_t m, std::size_t u) {
  Values a;
  Values b;
  for (std::size_t i = 1; i <= n; ++i) a.push_back(static_cast<double>(i));
  for (std::size_t j = 0; j < m; ++j) {
    const std::size_t above = std::min(n, u);
    u -= above;
    b.push_back(static_cast<double>(above) + 0.9 -
                0.8 * static_cast<double>(j) / static_cast<double>(m));
  }
  return {a, b};
}

double p_of(std::size_t n, std::size_t m, std::size_t u) {
  const auto [a, b] = samples_with(n, m, u);
  const RankTest test = mann_whitney(a, b);
  EXPECT_EQ(test.u, static_cast<double>(u));
  EXPECT_TRUE(test.exact);
  return test.p;
}

Values draw(std::size_t n, unsigned seed, double factor = 1) {
  std::mt19937 random(seed);
  std::lognormal_distribution<double> time(0, 0.2);
  Values values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(factor * time(random));
  return values;
}

// Of the 8!/(4! 4!) = 70 orders, one has U = 0 and one U = 16: p = 2/70. One has U = 1: 4/70.
TEST(MannWhitney, FourAndFourByHand) {
  EXPECT_DOUBLE_EQ(p_of(4, 4, 0), 2.0 / 70);
  EXPECT_DOUBLE_EQ(p_of(4, 4, 16), 2.0 / 70);
  EXPECT_DOUBLE_EQ(p_of(4, 4, 1), 4.0 / 70);
  EXPECT_DOUBLE_EQ(p_of(4, 4, 8), 1);
  EXPECT_DOUBLE_EQ(p_of(1, 1, 0), 1);
}

// The critical values of the published tables, two-sided, 5 %: the largest U that is significant.
TEST(MannWhitney, HasThePublishedCriticalValues) {
  struct Critical {
    std::size_t n, m, u;
  };
  for (const auto& [n, m, u] : std::to_array<Critical>({{4, 4, 0},
                                                        {5, 3, 0},
                                                        {5, 5, 2},
                                                        {6, 6, 5},
                                                        {7, 9, 12},
                                                        {8, 8, 13},
                                                        {10, 10, 23},
                                                        {12, 15, 49},
                                                        {20, 8, 41},
                                                        {20, 20, 127}})) {
    EXPECT_LE(p_of(n, m, u), 0.05) << n << ", " << m;
    EXPECT_GT(p_of(n, m, u + 1), 0.05) << n << ", " << m;
  }
}

// Hollander and Wolfe (1973), 69f, as R's wilcox.test prints it: W = 35, one-sided p = 0.1272.
TEST(MannWhitney, PermeabilityOfPlacentas) {
  const Values at_term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const Values early{1.15, 0.88, 0.90, 0.74, 1.21};
  const RankTest test = mann_whitney(early, at_term);
  EXPECT_EQ(test.u, 35);
  EXPECT_NEAR(test.p, 2 * 0.1272, 1e-4);
}

// R's example with ties, ozone in May and August: W = 127.5, p = 0.0001208.
TEST(MannWhitney, OzoneInMayAndAugust) {
  const Values may{41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
                   14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37};
  const Values august{39, 9,  16, 78, 35, 66, 122, 89,  110, 44, 28,  65, 22,
                      59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85};
  const RankTest test = mann_whitney(august, may);
  EXPECT_EQ(test.u, 127.5);
  EXPECT_FALSE(test.exact);
  EXPECT_NEAR(test.p, 0.0001208, 5e-8);
}

// A single value among m: U is uniform on 0..m, also where the normal curve would be far off.
TEST(MannWhitney, OneAgainstAThousandIsCounted) {
  EXPECT_NEAR(p_of(1000, 1, 0), 2.0 / 1001, 1e-12);
  EXPECT_NEAR(p_of(1, 1000, 1000), 2.0 / 1001, 1e-12);
}

// Where both can be had, counting and the normal curve agree.
TEST(MannWhitney, TheApproximationMeetsTheCount) {
  Values a = draw(33, 1);
  Values b = draw(33, 2, 1.1);
  const double counted = mann_whitney(a, b).p;
  a.push_back(a.front());
  const RankTest approximated = mann_whitney(a, b);
  EXPECT_FALSE(approximated.exact);
  EXPECT_NEAR(approximated.p, counted, 0.02);
}

TEST(MannWhitney, EqualValuesShowNothing) {
  const Values same(9, 3.0);
  EXPECT_EQ(mann_whitney(same, same).p, 1);
  EXPECT_EQ(mann_whitney(same, same).u, 40.5);
}

TEST(MannWhitney, SwappedItIsTheSameTest) {
  for (const std::size_t n : {3u, 20u, 60u}) {
    const Values a = draw(n, 3);
    const Values b = draw(17, 4, 1.2);
    const RankTest there = mann_whitney(a, b);
    const RankTest back = mann_whitney(b, a);
    EXPECT_DOUBLE_EQ(there.p, back.p);
    EXPECT_DOUBLE_EQ(there.u + back.u, static_cast<double>(n * 17));
  }
}

// All ratios of {1, 2} and {3, 8}: 1.5, 3, 4, 8; the middle two give sqrt(12).
TEST(Ratio, FourPairsByHand) {
  const RatioEstimate found = estimate_ratio(Values{2, 1}, Values{3, 8});
  EXPECT_NEAR(found.ratio, std::sqrt(12.0), 1e-15);
  EXPECT_FALSE(found.interval) << "2 and 2 values: the range has 1 - 2/6 only";
}

// 5 and 5 values: P(U <= 2) = 4/252, P(U <= 3) = 7/252 > 2.5 %; so the 3rd of 25 from each side,
// with 1 - 8/252 = 96.8 %.
TEST(Ratio, TheIntervalOfFiveAndFiveByHand) {
  const Values a{1, 1, 1, 1, 1};
  const Values b{2, 3, 5, 7, 11};
  const RatioEstimate found = estimate_ratio(a, b);
  EXPECT_EQ(found.ratio, 5);
  ASSERT_TRUE(found.interval);
  EXPECT_EQ(found.interval->low, 2);
  EXPECT_EQ(found.interval->high, 11);
  EXPECT_NEAR(found.interval->confidence, 1 - 8.0 / 252, 1e-12);
}

TEST(Ratio, IsThatOfAllPairsFormed) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t n = 1 + random() % 12;
    const std::size_t m = 1 + random() % 12;
    Values a = draw(n, seed + 100);
    Values b = draw(m, seed + 200, 1 + seed / 30.0);
    if (seed % 3 == 0) b.back() = b.front();
    if (seed % 4 == 0) a.back() = a.front();
    Values ratios;
    for (const double x : a) {
      for (const double y : b) ratios.push_back(y / x);
    }
    std::ranges::sort(ratios);
    const std::size_t half = ratios.size() / 2;
    const double median =
        ratios.size() % 2 == 1 ? ratios[half] : std::sqrt(ratios[half - 1] * ratios[half]);
    const RatioEstimate found = estimate_ratio(a, b);
    EXPECT_NEAR(found.ratio, median, 1e-14 * median);
    if (!found.interval) continue;
    const auto low = std::ranges::find(ratios, found.interval->low);
    const auto high = std::ranges::find(ratios, found.interval->high);
    ASSERT_TRUE(low != ratios.end() && high != ratios.end()) << "ends are ratios";
    EXPECT_GE(found.interval->confidence, 0.95);
    EXPECT_LE(found.interval->low, found.ratio);
    EXPECT_GE(found.interval->high, found.ratio);
  }
}

// Swapping gives the inverse; a common unit does not matter; B times c gives c times the ratio.
TEST(Ratio, IsInvertedBySwappingAndBlindToUnits) {
  Values a = draw(40, 5);
  Values b = draw(50, 6, 1.3);
  const RatioEstimate there = estimate_ratio(a, b);
  const RatioEstimate back = estimate_ratio(b, a);
  EXPECT_NEAR(there.ratio * back.ratio, 1, 1e-14);
  EXPECT_NEAR(there.interval->low * back.interval->high, 1, 1e-14);
  for (double& x : a) x *= 1024;
  for (double& x : b) x *= 1024;
  EXPECT_EQ(estimate_ratio(a, b).ratio, there.ratio);
  for (double& x : b) x *= 2;
  EXPECT_EQ(estimate_ratio(a, b).ratio, 2 * there.ratio);
}

// 95 % intervals hold the true factor in about 95 of 100 draws.
TEST(Ratio, TheIntervalCoversTheTruth) {
  int covered = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const auto interval = estimate_ratio(draw(15, 2 * seed), draw(40, 2 * seed + 1, 1.7)).interval;
    covered += interval->low <= 1.7 && 1.7 <= interval->high ? 1 : 0;
  }
  EXPECT_GE(covered, 460);
  EXPECT_LE(covered, 492);
}

// 3 x 10^11 pairs.
TEST(Ratio, OfHalfAMillionEach) {
  const Values a = draw(600'000, 7);
  const Values b = draw(500'000, 8, 1.01);
  const RatioEstimate found = estimate_ratio(a, b);
  EXPECT_NEAR(found.ratio, 1.01, 0.002);
  EXPECT_LT(found.interval->low, found.ratio);
  EXPECT_GT(found.interval->high, found.ratio);
  EXPECT_LT(mann_whitney(a, b).p, 1e-6);
}

TEST(RankTest, RefusesWhatIsNoTime) {
  EXPECT_THROW(static_cast<void>(mann_whitney(Values{}, Values{1})), InternalError);
  EXPECT_THROW(static_cast<void>(estimate_ratio(Values{1}, Values{0})), InternalError);
  EXPECT_THROW(static_cast<void>(estimate_ratio(Values{std::nan("")}, Values{1})), InternalError);
}

}  // namespace
}  // namespace gradwire::report
