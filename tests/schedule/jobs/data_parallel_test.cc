#include "schedule/jobs/data_parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "schedule/jobs/check.h"

namespace gradwire::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const workloads::Profile kThreeLayers{
    .model = "three",
    .source = "made up",
    .layers = {{.name = "a", .tensors = {3, 4}, .forward = Seconds(1), .backward = Seconds(2)},
               {.name = "b", .tensors = {10}, .forward = Seconds(1), .backward = Seconds(4)},
               {.name = "c", .tensors = {100}, .forward = Seconds(1), .backward = Seconds(8)}}};

TEST(DataParallel, ComputesBackwardsAndSendsEachBucketWhenItIsFull) {
  const schedule::Schedule buckets{.buckets = {{.first = 0, .count = 2}, {.first = 2, .count = 1}}};
  const Job job = data_parallel(kThreeLayers, buckets, 5, Dtype::float16);
  EXPECT_THAT(check(job), IsEmpty());
  ASSERT_EQ(job.ranks.size(), 5U);
  EXPECT_EQ(nodes_of(job), 5U * 6U);
  const std::vector<Node>& nodes = job.programs.front().nodes;
  const auto time = [&](std::size_t node) { return std::get<Compute>(nodes[node].what).time; };
  EXPECT_EQ(time(0), Seconds(3));
  EXPECT_EQ(time(1), Seconds(8)) << "of c, the last layer";
  EXPECT_EQ(time(3), Seconds(2)) << "of a, the first";
  EXPECT_EQ(std::get<Call>(nodes[4].what), (Call{.elements = 110, .dtype = Dtype::float16}));
  EXPECT_EQ(std::get<Call>(nodes[5].what), (Call{.elements = 7, .dtype = Dtype::float16}));
  EXPECT_THAT(nodes[4].after, ElementsAre(2)) << "b's backward pass";
  EXPECT_THAT(nodes[5].after, ElementsAre(3)) << "a's";
}

TEST(DataParallel, WithoutOverlapWaitsForTheLastLayer) {
  const schedule::Schedule buckets{.buckets = {{.first = 0, .count = 1}, {.first = 1, .count = 2}},
                                   .overlaps = false};
  const Job job = data_parallel(kThreeLayers, buckets, 2);
  EXPECT_THAT(job.programs.front().nodes[4].after, ElementsAre(3));
  EXPECT_THAT(job.programs.front().nodes[5].after, ElementsAre(3));
}

TEST(DataParallel, HoldsABucketUpUntilItsTime) {
  const schedule::Schedule buckets{.buckets = {{.first = 0, .count = 3, .not_before = Seconds(9)}}};
  const Job job = data_parallel(kThreeLayers, buckets, 2);
  EXPECT_THAT(check(job), IsEmpty());
  const std::vector<Node>& nodes = job.programs.front().nodes;
  ASSERT_EQ(nodes.size(), 6U);
  EXPECT_EQ(nodes[4].lag, Seconds(9));
  EXPECT_THAT(nodes[4].after, IsEmpty());
  EXPECT_THAT(nodes[5].after, ElementsAre(3, 4));
}

TEST(DataParallel, RefusesBucketsThatDoNotTile) {
  const auto with = [](std::vector<schedule::Bucket> buckets) {
    return data_parallel(kThreeLayers, {.buckets = std::move(buckets)}, 2);
  };
  EXPECT_THROW(with({{.first = 0, .count = 2}}), InternalError);
  EXPECT_THROW(with({{.first = 0, .count = 4}}), InternalError);
  EXPECT_THROW(with({{.first = 0, .count = 1}, {.first = 2, .count = 1}}), InternalError);
}

}  // namespace
}  // namespace gradwire::jobs
