#include "harness/workers/rank/training_assignment.h"

#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "core/clock.h"
#include "harness/workers/rank/cost_probe.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/harness/workers/rank/rank_threads.h"
#include "topologies/registry.h"
#include "transport/loopback/rendezvous.h"

/// Training jobs whose ranks are threads, over TCP on the loopback interface.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
namespace loopback = transport::loopback;

constexpr std::size_t kRanks = 3;

/// Forward order, 20,100 elements; a millisecond each way.
Job job(const std::string& algorithm, const std::string& schedule) {
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology("single-switch(3)");
  Job job{.task = {.wiring = wiring,
                   .algorithm = algorithms::testing::named(algorithm, *wiring),
                   .schedule = text::parse_spec(schedule)},
          .training = TrainingJob{.dilation = 2},
          .ports = {{.device = "lo", .address = "127.0.0.1"}},
          .key = {9},
          .timeout = 5s};
  for (const std::size_t elements : {12'000u, 100u, 8'000u}) {
    job.training->layers.push_back(
        {.tensors = {elements}, .forward = Seconds(1e-3), .backward = Seconds(1e-3)});
  }
  return job;
}

struct Outcome {
  JobPlan plan;
  std::vector<record::RankIteration> steps;
};

/// Lets the last rank out of every barrier later than the others.
class LateRendezvous final : public transport::Rendezvous {
 public:
  LateRendezvous(loopback::MeetingPoint& point, Rank self, Nanoseconds late)
      : rendezvous_(point, self), late_(self == Rank(kRanks - 1) ? late : 0ns) {}

  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override {
    return rendezvous_.all_gather(mine);
  }
  void barrier() override {
    rendezvous_.barrier();
    std::this_thread::sleep_for(late_);
  }

 private:
  loopback::LocalRendezvous rendezvous_;
  Nanoseconds late_;
};

/// Runs `iterations` on every rank, of which the last leaves barriers `late`. Throws what the first
/// rank that failed threw.
std::vector<Outcome> run(const Job& common, std::size_t iterations, Nanoseconds late = 0ns) {
  std::vector<Outcome> outcomes(kRanks);
  loopback::MeetingPoint meeting(kRanks);
  testing::on_every_rank(kRanks, [&](std::size_t i) {
    Job mine = common;
    mine.rank = Rank(i);
    const SteadyClock clock;
    transport::Cancellation cancellation;
    LateRendezvous rendezvous(meeting, mine.rank, late);
    const auto training = make_assignment(
        mine, {.rendezvous = rendezvous, .cancellation = cancellation, .clock = clock});
    outcomes[i].plan = training->plan().value();
    for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
      outcomes[i].steps.push_back(
          training->iterate({.iteration = iteration, .check = true, .trace = iteration == 1}));
    }
  });
  return outcomes;
}

class EverySchedule : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(TrainingAssignment, EverySchedule,
                         ::testing::Values(std::pair("ring", "none"), std::pair("ring", "wfbp"),
                                           std::pair("ring", "synceasgd"),
                                           std::pair("ring", "optimum"), std::pair("ps", "wfbp"),
                                           std::pair("ring", "horovod(cycle=2ms)"),
                                           std::pair("ps(per-tensor)", "mg-wfbp"),
                                           std::pair("ps(servers=1, dedicated)", "wfbp")));

TEST_P(EverySchedule, SumsEveryBucketAndKeepsTheParametersAlike) {
  const auto [algorithm, schedule] = GetParam();
  const auto outcomes = run(job(algorithm, schedule), 3);
  for (std::size_t iteration = 0; iteration < 3; ++iteration) {
    std::set<std::uint64_t> digests;
    for (const Outcome& outcome : outcomes) {
      const record::RankIteration& step = outcome.steps[iteration];
      EXPECT_EQ(step.wrong, 0);
      EXPECT_EQ(step.training->buckets.size(), outcome.plan.buckets.size());
      if (step.training->parameters != 0) digests.insert(step.training->parameters);
    }
    EXPECT_EQ(digests.size(), 1u) << iteration;
  }
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.plan.buckets, outcomes[0].plan.buckets) << "rank 0 tells all";
  }
}

// MG-WFBP, Algorithm 2: merging changes when gradients travel, not what comes out.
TEST(TrainingAssignment, ParametersDoNotDependOnTheSchedule) {
  std::set<std::uint64_t> digests;
  for (const char* schedule : {"none", "wfbp", "synceasgd", "fixed(cap=4KiB)"}) {
    digests.insert(run(job("ring", schedule), 3)[0].steps[2].training->parameters);
  }
  EXPECT_EQ(digests.size(), 1u);
}

// Filling keeps a core busy that who has not begun yet may need.
TEST(TrainingAssignment, NoGradientIsReadyBeforeAllRanksHaveBegun) {
  const auto outcomes = run(job("ring", "wfbp"), 1, 100ms);
  for (const Outcome& outcome : outcomes) {
    for (const Outcome& other : outcomes) {
      EXPECT_GE(outcome.steps[0].training->buckets[0].ready, other.steps[0].start);
    }
  }
}

// Forward 3 x 1 ms, then a layer every millisecond, all twice as long.
TEST(TrainingAssignment, ComputingTakesItsTimeAndBucketsWaitForIt) {
  const auto outcomes = run(job("ring", "wfbp"), 1);
  for (const Outcome& outcome : outcomes) {
    const record::RankIteration& step = outcome.steps[0];
    const record::RankTraining& training = *step.training;
    EXPECT_GE(training.compute_end - step.start, 12ms);
    for (std::size_t i = 0; i < training.buckets.size(); ++i) {
      const record::RankBucket& bucket = training.buckets[i];
      EXPECT_GE(bucket.ready - step.start, (4 + i) * 2ms);
      EXPECT_GE(bucket.start, bucket.ready);
      EXPECT_GE(bucket.end, bucket.start);
      if (i > 0) {
        EXPECT_GE(bucket.start, training.buckets[i - 1].end);
      }
    }
    EXPECT_GE(step.end, training.buckets.back().end);
  }
}

TEST(TrainingAssignment, WithoutOverlapEverythingWaitsForTheBackwardPass) {
  for (const Outcome& outcome : run(job("ring", "none"), 1)) {
    const record::RankTraining& training = *outcome.steps[0].training;
    for (const record::RankBucket& bucket : training.buckets) {
      EXPECT_GE(bucket.start, training.compute_end);
    }
  }
}

// Ring on three ranks: 4 steps, a send and a receive each, per bucket.
TEST(TrainingAssignment, TracesTheTransfersOfTheIterationsAskedFor) {
  for (const Outcome& outcome : run(job("ring", "wfbp"), 2)) {
    EXPECT_TRUE(outcome.steps[0].transfers.empty());
    ASSERT_EQ(outcome.steps[1].transfers.size(), 3u * 4u * 2u);
    std::size_t sent = 0;
    for (const record::TracedTransfer& transfer : outcome.steps[1].transfers) {
      EXPECT_GE(transfer.posted, 0ns);
      EXPECT_GE(transfer.done, transfer.posted);
      if (transfer.sends) sent += transfer.elements;
    }
    EXPECT_NEAR(static_cast<double>(sent), 20'100 * 4.0 / 3, 3 * 4);
  }
}

// Nothing moves while all compute, also on a rank that only serves; that is no stall.
TEST(TrainingAssignment, ComputingMayTakeLongerThanTheTimeout) {
  Job slow = job("ps(servers=1, dedicated)", "synceasgd");
  slow.timeout = 500ms;
  slow.training->dilation = 150;  // 0.9 s of computing
  for (const Outcome& outcome : run(slow, 1)) EXPECT_EQ(outcome.steps[0].wrong, 0);
}

TEST(TrainingAssignment, ProbesRisingSizesUpToTheGradient) {
  const JobPlan plan = run(job("ring", "wfbp"), 0)[0].plan;
  ASSERT_GE(plan.cost.size(), 2u);
  for (std::size_t i = 1; i < plan.cost.size(); ++i) {
    EXPECT_GT(plan.cost[i].bytes, plan.cost[i - 1].bytes);
    EXPECT_GT(plan.cost[i].time.count(), 0);
  }
  EXPECT_EQ(plan.cost.back().bytes, 20'100 * 4);
}

// Emulated start-ups show in every size: 4 steps of 1 ms, with a dilation of 2.
TEST(TrainingAssignment, CostsHoldTheStartUp) {
  Job slow = job("ring", "wfbp");
  slow.startup = 1ms;
  const JobPlan plan = run(slow, 0)[0].plan;
  for (const auto& point : plan.cost) EXPECT_GE(point.time.count(), 2e-3);
}

TEST(ProbeSizes, FallByFourFromTheWhole) {
  EXPECT_EQ(probe_sizes(20'000), (std::vector<std::size_t>{312, 1250, 5000, 20'000}));
  EXPECT_EQ(probe_sizes(3), (std::vector<std::size_t>{3}));
}

}  // namespace
}  // namespace gradwire::workers
