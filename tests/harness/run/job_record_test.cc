#include "harness/run/job_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/flags.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::IsEmpty;

/// Forward order: 900 and 300 elements; a second forward, a second each backward.
PreparedPoint point(const char* algorithm) {
  workloads::Profile profile{.layers = {{.tensors = {900}, .backward = Seconds(1)},
                                        {.tensors = {300}, .backward = Seconds(1)}}};
  profile.layers[0].forward = Seconds(1);
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology("single-switch(3)");
  PreparedPoint point{
      .task = {.wiring = wiring, .algorithm = algorithms::testing::named(algorithm, *wiring)},
      .configuration = {.elements = 1200},
      .bound = Seconds(0)};
  point.training = {profile, schedule::backward_pass(profile)};
  return point;
}

/// A millisecond per byte.
const workers::JobPlan kWfbp{
    .cost = {{.bytes = 100, .time = Seconds(0.1)}, {.bytes = 4800, .time = Seconds(4.8)}},
    .buckets = {{0, 1}, {1, 1}}};
constexpr topologies::LinkLimits kPayload{.payload = {8e3}};

// Ring: bucket 1 is ready at 2 s and takes 1.2 s; bucket 2 at 3 s, starts at 3.2 s, takes 3.6 s.
TEST(RecordJob, PredictsFromTheMeasuredCost) {
  const JobRecord record = record_job(point("ring"), kWfbp, kPayload);
  EXPECT_EQ(record.bucket_elements, (std::vector<std::uint64_t>{300, 900}));
  EXPECT_NEAR(record.predicted.buckets[1].start.count(), 3.2, 1e-9);
  EXPECT_NEAR(record.predicted.iteration.count(), 6.8, 1e-9);
  // 2(N-1)/N of 4800 B at 1000 B/s of line rate.
  EXPECT_NEAR(total(record.bounds).count(), 4.0 / 3 * 4.8, 1e-9);
  EXPECT_EQ(record.plans.size(), 3u);
}

// Per-tensor placement: a bucket of both tensors costs what its larger tensor does alone, as they
// live on different servers.
TEST(RecordJob, APerTensorBucketCostsItsBusiestServer) {
  const workers::JobPlan one{.cost = kWfbp.cost, .buckets = {{0, 2}}};
  const JobRecord record = record_job(point("ps(per-tensor)"), one, kPayload);
  EXPECT_NEAR(record.predicted.iteration.count(), 3 + 3.6, 1e-9);
}

record::RankIteration step(Nanoseconds start, Nanoseconds delay, std::uint64_t parameters) {
  return {.start = start,
          .end = start + 7s + delay,
          .training = record::RankTraining{
              .compute_end = start + 3s,
              .buckets = {{.ready = start + 2s, .start = start + 2s, .end = start + 4s + delay},
                          {.ready = start + 3s, .start = start + 5s, .end = start + 7s + delay}},
              .parameters = parameters}};
}

// Rank 1 starts 0.1 s later: times count from there, and each is the last rank's.
TEST(TrainingSample, TakesTheLastRankOfEverything) {
  const JobRecord record = record_job(point("ring"), kWfbp, kPayload);
  const std::vector<record::RankIteration> steps{step(10s, 0s, 5), step(10s + 100ms, 50ms, 5),
                                                 step(10s, 200ms, 5)};
  const record::TrainingSample sample = training_sample(record, steps);
  EXPECT_EQ(sample.compute, 3s);
  EXPECT_EQ(sample.buckets[0].ready, 2s);
  EXPECT_EQ(sample.buckets[0].end, 4s + 100ms);
  EXPECT_EQ(sample.buckets[1].start, 5s);
  EXPECT_EQ(sample.buckets[1].elements, 900u);
}

TEST(TrainingFlags, MarkLateComputingAndDivergence) {
  const PreparedPoint job = point("ring");
  const JobRecord record = record_job(job, kWfbp, kPayload);
  std::vector<record::RankIteration> steps{step(0s, 0s, 5), step(0s, 0s, 5), step(0s, 0s, 0)};
  const auto flags = [&] {
    return training_flags(*job.training, training_sample(record, steps), 1, steps);
  };
  EXPECT_THAT(flags(), IsEmpty());
  steps[1].training->compute_end += 61ms;  // 3 s are the profile's, 2 % of it are 60 ms
  EXPECT_THAT(flags(), Contains(record::kFlagLateCompute));
  steps[1].training->parameters = 6;
  EXPECT_THAT(flags(), Contains(record::kFlagDiverged));
}

}  // namespace
}  // namespace gradwire::run
