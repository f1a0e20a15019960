#include "results/record/statistics.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::record {
namespace {

std::vector<double> one_to(int last) {
  std::vector<double> samples(static_cast<std::size_t>(last));
  std::iota(samples.begin(), samples.end(), 1.0);
  return samples;
}

// 1..100: median 50.5, nearest ranks 95 and 99, mean 50.5, variance (n^2 - 1)/12 n/(n-1).
TEST(Summarize, OneToAHundred) {
  const Summary summary = summarize(one_to(100));
  EXPECT_DOUBLE_EQ(summary.median, 50.5);
  EXPECT_DOUBLE_EQ(summary.p95, 95);
  EXPECT_DOUBLE_EQ(summary.p99, 99);
  EXPECT_DOUBLE_EQ(summary.mean, 50.5);
  const double stdev = std::sqrt(9999.0 / 12 * 100 / 99);
  EXPECT_NEAR(summary.stdev, stdev, 1e-12);
  EXPECT_NEAR(summary.cv_percent, 100 * stdev / 50.5, 1e-12);
  EXPECT_EQ(summary.min, 1);
  EXPECT_EQ(summary.max, 100);
}

TEST(Summarize, DoesNotDependOnTheOrder) {
  const std::vector<double> samples{3, 1, 2};
  EXPECT_DOUBLE_EQ(summarize(samples).median, 2);
}

// Large offsets cancel in two passes: variance of {c+1, c+2, c+3} is 1.
TEST(Summarize, VarianceSurvivesALargeMean) {
  const std::vector<double> samples{1e9 + 1, 1e9 + 2, 1e9 + 3};
  EXPECT_DOUBLE_EQ(summarize(samples).stdev, 1);
}

TEST(Summarize, ASingleSampleHasNoSpread) {
  const std::vector<double> one{7};
  const Summary summary = summarize(one);
  EXPECT_EQ(summary.median, 7);
  EXPECT_EQ(summary.stdev, 0);
  EXPECT_FALSE(summary.median_interval);
}

// Of 6 samples, minimum and maximum enclose the median with 1 - 2/2^6 = 96.9 %.
TEST(Summarize, TheIntervalOfSixSamplesIsTheirRange) {
  EXPECT_FALSE(summarize(one_to(5)).median_interval);
  EXPECT_TRUE(summarize(one_to(6)).median_interval);
}

TEST(Summarize, RefusesNothingAndNan) {
  EXPECT_THROW(static_cast<void>(summarize({})), InternalError);
  const std::vector<double> nan{1, std::nan("")};
  EXPECT_THROW(static_cast<void>(summarize(nan)), InternalError);
}

}  // namespace
}  // namespace gradwire::record
