#include "schedule/timeline.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/schedule/passes.h"

namespace gradwire::schedule {
namespace {

using ::testing::ElementsAre;
using testing::end_of;
using testing::pass_of;

/// Ready at 1, 3, 10, 14 and 15.
BackwardPass example() {
  return pass_of({1, 2, 7, 4, 1}, {10, 20, 30, 40, 50});
}

// TPDS eq. 7: a bucket starts when its last gradient is ready and the bucket before it is done.
TEST(Timeline, StartsABucketWhenItIsReadyAndTheWireFree) {
  const std::vector<Seconds> times{Seconds(3), Seconds(5), Seconds(1)};
  const Timeline timeline = predict(example(), {.buckets = {{0, 2}, {2, 2}, {4, 1}}}, times);
  ASSERT_EQ(timeline.buckets.size(), 3u);
  const auto expect = [](const BucketTimes& bucket, double ready, double start, double end,
                         double bytes) {
    EXPECT_EQ(bucket.ready, Seconds(ready));
    EXPECT_EQ(bucket.start, Seconds(start));
    EXPECT_EQ(bucket.end, Seconds(end));
    EXPECT_EQ(bucket.bytes, bytes);
  };
  expect(timeline.buckets[0], 3, 3, 6, 30);
  expect(timeline.buckets[1], 14, 14, 19, 70);  // the wire waits for the gradient
  expect(timeline.buckets[2], 15, 19, 20, 50);  // the gradient for the wire
  EXPECT_EQ(timeline.compute, Seconds(15));
  EXPECT_EQ(timeline.iteration, Seconds(20));
  EXPECT_EQ(timeline.exposed(), Seconds(5));
  EXPECT_EQ(timeline.communication(), Seconds(9));
}

// A bucket that is ready at 3 and must not go before 8.
TEST(Timeline, SendsNothingBeforeItMay) {
  const std::vector<Seconds> times{Seconds(3), Seconds(5)};
  const Timeline timeline =
      predict(example(), {.buckets = {{0, 2, Seconds(8)}, {2, 3, Seconds(1)}}}, times);
  EXPECT_EQ(timeline.buckets[0].start, Seconds(8));
  EXPECT_EQ(timeline.buckets[0].end, Seconds(11));
  EXPECT_EQ(timeline.buckets[1].start, Seconds(15));
}

TEST(Timeline, WithoutOverlapEverythingWaitsForTheEnd) {
  const std::vector<Seconds> times{Seconds(3), Seconds(5)};
  const Timeline timeline =
      predict(example(), {.buckets = {{0, 2}, {2, 3}}, .overlaps = false}, times);
  EXPECT_EQ(timeline.buckets[0].ready, Seconds(15));
  EXPECT_EQ(timeline.buckets[0].start, Seconds(15));
  EXPECT_EQ(timeline.buckets[1].start, Seconds(18));
  EXPECT_EQ(timeline.iteration, Seconds(23));
  EXPECT_EQ(timeline.exposed(), timeline.communication());
}

// Buckets at 3 and 15: the first takes 2 + 0.1 * 30 = 5, the second 2 + 0.1 * 120 = 14.
TEST(Timeline, TakesTimesFromACost) {
  const Schedule schedule{.buckets = {{0, 2}, {2, 3}}};
  EXPECT_DOUBLE_EQ(end_of(example(), schedule, Affine{.a = Seconds(2), .b = 0.1}), 15 + 14);
  EXPECT_THAT(bucket_bytes(example(), schedule), ElementsAre(30, 120));
}

TEST(Timeline, OfOneRankIsItsComputing) {
  EXPECT_EQ(end_of(example(), wfbp(example()), Affine{}), 15);
}

TEST(Timeline, RefusesBucketsThatDoNotTile) {
  const std::vector<std::vector<Bucket>> wrong{
      {}, {{0, 4}}, {{0, 6}}, {{1, 4}}, {{0, 2}, {3, 2}}, {{0, 3}, {2, 3}}, {{0, 5}, {5, 0}},
  };
  for (const auto& buckets : wrong) {
    const std::vector<Seconds> times(buckets.size(), Seconds(1));
    EXPECT_THROW((void)predict(example(), {.buckets = buckets}, times), InternalError);
  }
}

TEST(Timeline, RefusesAnotherNumberOfTimes) {
  const std::vector<Seconds> times{Seconds(1)};
  EXPECT_THROW((void)predict(example(), {.buckets = {{0, 2}, {2, 3}}}, times), InternalError);
}

}  // namespace
}  // namespace gradwire::schedule
