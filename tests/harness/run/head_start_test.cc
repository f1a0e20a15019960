#include "harness/run/head_start.h"

#include <vector>

#include <gtest/gtest.h>

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;

constexpr Seconds kBounds[] = {Seconds(2e-3), Seconds(1e-3)};

// Ranks begin at 5, 0 and 3 ms: the first had 5 ms before GST's clock began, of which no more than
// the bound counts. At a dilation of 100 a bound of 2 ms is 200 ms of wall time.
TEST(HeadStart, IsFromTheFirstRankToTheLast) {
  const std::vector<record::RankIteration> ranks{
      {.start = 5ms}, {.start = 0ms}, {.start = 3ms, .end = 900ms}};
  EXPECT_EQ(head_start(ranks, std::span(kBounds).first(1), 100), 5ms);
  EXPECT_EQ(head_start(ranks, std::span(kBounds).first(1), 1), 2ms);
  EXPECT_EQ(head_start(ranks, {}, 1), 0ms);
}

record::RankIteration trained(Nanoseconds first, Nanoseconds second) {
  return {.training = record::RankTraining{.buckets = {{.start = first}, {.start = second}}}};
}

// Buckets begin apart by 1 and by 8 ms; the second bound is 1 ms.
TEST(HeadStart, OfATrainingJobIsSummedOverItsBuckets) {
  const std::vector<record::RankIteration> ranks{trained(10ms, 28ms), trained(11ms, 20ms)};
  EXPECT_EQ(head_start(ranks, kBounds, 1), 2ms);
  EXPECT_EQ(head_start(ranks, kBounds, 10), 9ms);
}

}  // namespace
}  // namespace gradwire::run
