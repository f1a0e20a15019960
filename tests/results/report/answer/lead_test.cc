#include "results/report/answer/lead.h"

#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace gradwire::report {
namespace {

using TimesOfLead = std::vector<double>;

Lead measured(const TimesOfLead& less, const TimesOfLead& more) {
  return lead_of(less, more, false);
}

// Five and five samples of which all of one lie below all of the other: 1 of 252 orders, so the
// interval is known, and far above 1. This was once "not clearly less".
TEST(Lead, OfHalfTheTimeIsClearWithFiveSamples) {
  const Lead lead =
      measured({2.344, 2.345, 2.345, 2.346, 2.347}, {4.680, 4.681, 4.682, 4.684, 4.7});
  EXPECT_EQ(lead.surety, Surety::interval);
  EXPECT_TRUE(lead.is_clear());
  EXPECT_NEAR(lead.ratio.interval->confidence, 1 - 8.0 / 252, 1e-12);
  EXPECT_NEAR(lead.ratio.ratio, 4.682 / 2.345, 1e-3);
}

// The lower end of the interval is below 1 where the samples are mixed.
TEST(Lead, IsUnclearWhereTheIntervalHoldsOne) {
  const Lead lead = measured({1.0, 1.2, 1.4, 1.6, 1.8, 2.0}, {1.1, 1.3, 1.5, 1.7, 1.9, 2.1});
  EXPECT_EQ(lead.surety, Surety::unclear);
  EXPECT_FALSE(lead.is_clear());
}

// Three and three have no 95 % interval. Between 1.2 and 2.2 lies 1, and the wider range is 0.2.
TEST(Lead, OfFewSamplesCountsTheWiderRange) {
  const Lead lead = measured({1.0, 1.1, 1.2}, {2.2, 2.3, 2.4});
  EXPECT_FALSE(lead.ratio.interval);
  EXPECT_NEAR(*lead.gap, 5, 1e-12);
  EXPECT_EQ(lead.surety, Surety::apart);
}

TEST(Lead, OfFewSamplesIsUnclearNearby) {
  EXPECT_EQ(measured({1.0, 1.1, 1.2}, {1.3, 1.4, 1.5}).surety, Surety::unclear);
  EXPECT_EQ(measured({1.0, 1.3, 1.2}, {1.25, 1.4, 1.5}).surety, Surety::unclear);
  EXPECT_LT(*measured({1.0, 1.3, 1.2}, {1.25, 1.4, 1.5}).gap, 0);
}

TEST(Lead, OfTwoSamplesEachNeedsThreeRanges) {
  EXPECT_EQ(measured({1.0, 1.1}, {1.39, 1.4}).surety, Surety::unclear);
  EXPECT_EQ(measured({1.0, 1.1}, {1.41, 1.42}).surety, Surety::apart);
}

TEST(Lead, OfSamplesThatDoNotVaryIsClear) {
  const Lead lead = measured({1, 1}, {2, 2});
  EXPECT_FALSE(lead.gap);
  EXPECT_EQ(lead.surety, Surety::apart);
}

// How much one sample varies cannot be known, however many the other row has.
TEST(Lead, OfOneSampleIsNotKnown) {
  EXPECT_EQ(measured({1}, {2}).surety, Surety::single);
  EXPECT_EQ(measured({1}, TimesOfLead(100, 2)).surety, Surety::single);
}

TEST(Lead, OfSimulationsIsComputed) {
  EXPECT_EQ(lead_of(TimesOfLead{1}, TimesOfLead{1.0001}, true).surety, Surety::computed);
  EXPECT_EQ(lead_of(TimesOfLead{1}, TimesOfLead{1}, true).surety, Surety::unclear);
  EXPECT_EQ(lead_of(TimesOfLead{1}, TimesOfLead{1 + 1e-9}, true).surety, Surety::unclear)
      << "rounding";
}

// Neither may be called less, and the medians are 0.03 % apart; with 0.06 % they are told apart.
TEST(Lead, OfNearlyTheSameTimeIsATie) {
  EXPECT_TRUE(measured({1}, {1.0003}).is_tie());
  EXPECT_FALSE(measured({1}, {1.0006}).is_tie());
  EXPECT_TRUE(measured({1.0, 1.2, 1.1}, {1.0, 1.2, 1.1003}).is_tie());
  EXPECT_FALSE(measured({1, 1}, {1.0003, 1.0003}).is_tie()) << "clear, however little it is";
  EXPECT_FALSE(lead_of(TimesOfLead{1}, TimesOfLead{1.0003}, true).is_tie()) << "computed";
  Lead spoiled = measured({1}, {1.0003});
  spoiled.surety = Surety::spoiled;
  EXPECT_FALSE(spoiled.is_tie()) << "nothing is known of them";
}

TEST(Lead, MayBeNoneWhereSamplesDoNotTell) {
  EXPECT_TRUE(measured({1.0, 1.1, 1.2}, {1.15, 1.2, 1.3}).may_be_equal());
  EXPECT_TRUE(measured({1}, {1.0003}).may_be_equal());
  EXPECT_FALSE(measured({1}, {1.33}).may_be_equal()) << "one sample each: only the ratio is known";
  EXPECT_FALSE(measured({1.0, 1.1, 1.2}, {2.2, 2.3, 2.4}).may_be_equal());
}

/// In how many of 2000 pairs of samples from one distribution the ranges are far apart.
int false_alarms(std::size_t n, std::size_t m, const std::function<double(std::mt19937&)>& draw) {
  std::mt19937 random(1);
  int alarms = 0;
  for (int i = 0; i < 2000; ++i) {
    TimesOfLead a;
    TimesOfLead b;
    for (std::size_t k = 0; k < n; ++k) a.push_back(draw(random));
    for (std::size_t k = 0; k < m; ++k) b.push_back(draw(random));
    const Lead there = measured(a, b);
    const Lead back = measured(b, a);
    alarms += there.surety == Surety::apart || back.surety == Surety::apart ? 1 : 0;
  }
  return alarms;
}

// Wherever ranges decide, samples that do not differ are called different less than 1 time in 20.
TEST(Lead, RangesAreSeldomFarApartByChance) {
  using Draw = std::function<double(std::mt19937&)>;
  const std::vector<Draw> draws{
      [](std::mt19937& random) { return 10 + std::normal_distribution<double>()(random); },
      [](std::mt19937& random) { return 1 + std::uniform_real_distribution<double>()(random); },
      [](std::mt19937& random) { return 1 + std::exponential_distribution<double>()(random); },
      [](std::mt19937& random) { return std::lognormal_distribution<double>(0, 0.2)(random); }};
  const std::vector<std::pair<std::size_t, std::size_t>> sizes{{2, 2}, {2, 3}, {2, 7},
                                                               {3, 3}, {3, 4}, {4, 2}};
  for (std::size_t shape = 0; shape < draws.size(); ++shape) {
    for (const auto& [n, m] : sizes) {
      EXPECT_LT(false_alarms(n, m, draws[shape]), 100) << shape << ": " << n << ", " << m;
    }
  }
}

}  // namespace
}  // namespace gradwire::report
