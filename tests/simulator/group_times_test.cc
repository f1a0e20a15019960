#include "simulator/group_times.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "schedule/jobs/check.h"
#include "tests/schedule/jobs/jobs.h"
#include "tests/schedule/jobs/random_job.h"
#include "tests/simulator/job_plans.h"
#include "tests/simulator/rounding.h"

namespace gradwire::simulator {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;
using testing::make_topology;
using testing::run_job;

std::vector<GroupTimes> times_on_switch(const jobs::Job& job) {
  const auto topology = make_topology("single-switch(4)");
  return group_times(job, run_job(job, *topology));
}

// Two ranks sum S elements in S seconds while they compute b: S - b of that is exposed, or nothing.
TEST(GroupTimes, ExposedIsWhatComputingDoesNotHide) {
  for (const double b : {0.0, 3.0, 8.0, 11.0}) {
    const jobs::Job job = jobs::testing::job_of_all(
        {compute(5), call(Collective::all_reduce, 0, 8, 1, {0}), compute(b)}, 2);
    const auto times = times_on_switch(job);
    ASSERT_EQ(times.size(), 2U);
    for (const GroupTimes& group : times) {
      EXPECT_EQ(group.ranks, 2U);
      EXPECT_EQ(group.calls, 1U);
      EXPECT_NEAR(group.busy, 8, kRounding);
      EXPECT_NEAR(group.exposed, std::max(8 - b, 0.0), kRounding) << b;
      EXPECT_NEAR(group.most_exposed, std::max(8 - b, 0.0), kRounding) << b;
    }
  }
}

// Rank 0 comes 3 s earlier than rank 1: it is in the sum for 3 + 8 s, rank 1 for 8.
TEST(GroupTimes, WaitingForALateMemberIsExposed) {
  const jobs::Node sum = call(Collective::all_reduce, 0, 8);
  const jobs::Job job = jobs::testing::job({{compute(1), sum}, {compute(4), sum}, {compute(9)}},
                                           {{0, 1}}, {{0}, {0}, {}});
  const auto times = times_on_switch(job);
  EXPECT_NEAR(times[0].exposed, (11 + 8) / 2.0, kRounding);
  EXPECT_NEAR(times[0].most_exposed, 11, kRounding);
  EXPECT_EQ(times[1].ranks, 3U) << "of the job";
  EXPECT_NEAR(times[1].exposed, (11 + 8) / 3.0, kRounding) << "rank 2 calls nothing";
}

// Computing on a third stream from 2 to 4 and from 6 to 7 s; the sum is under way from 0 to 8 s.
TEST(GroupTimes, ComputingMayComeAndGoMeanwhile) {
  jobs::Node first = compute(2, 1);
  first.lag = Seconds(2);
  jobs::Node second = compute(1, 1, {1});
  second.lag = Seconds(2);
  const jobs::Job job =
      jobs::testing::job_of_all({call(Collective::all_reduce, 0, 8), first, second}, 2);
  const auto times = times_on_switch(job);
  EXPECT_NEAR(times[0].busy, 8, kRounding);
  EXPECT_NEAR(times[0].exposed, 8 - 2 - 1, kRounding);
}

// Rank 0 sends 4 elements to rank 1 and 4 to rank 2 at once over its one cable: both take 8 s.
TEST(GroupTimes, TwoAtOnceCountForBothAndOnceInAll) {
  const jobs::Node one = call(Collective::send, 0, 4);
  jobs::Node other = call(Collective::send, 1, 4, 1);
  const jobs::Job job =
      jobs::testing::job({{one, other}, {one}, {one}}, {{0, 1}, {0, 2}}, {{0, 1}, {0}, {1}});
  const auto times = times_on_switch(job);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[0].exposed, 8, kRounding);
  EXPECT_NEAR(times[1].exposed, 8, kRounding);
  EXPECT_NEAR(times[2].exposed, 8, kRounding);
  EXPECT_EQ(times[2].calls, 2U);
}

TEST(GroupTimes, OfAJobWithoutGroupsAreNothing) {
  const auto times = times_on_switch(jobs::testing::job_of_all({compute(3)}, 2));
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times.back().calls, 0U);
  EXPECT_EQ(times.back().busy, 0);
}

/// The same by looking at every moment between two ends of nodes. `group` may be one past the last.
double exposed_by_moments(const jobs::Job& job, const JobOutcome& outcome, std::size_t group) {
  double sum = 0;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    const jobs::Part& part = job.ranks[rank];
    const std::vector<jobs::Node>& nodes = job.programs[part.program].nodes;
    std::vector<double> moments;
    for (const NodeTimes& times : outcome.nodes[rank]) {
      moments.insert(moments.end(), {times.start, times.end});
    }
    std::ranges::sort(moments);
    for (std::size_t i = 1; i < moments.size(); ++i) {
      const double middle = (moments[i - 1] + moments[i]) / 2;
      bool computes = false;
      bool is_in = false;
      for (std::size_t node = 0; node < nodes.size(); ++node) {
        const NodeTimes& times = outcome.nodes[rank][node];
        if (middle <= times.start || middle >= times.end) continue;
        const auto* called = std::get_if<jobs::Call>(&nodes[node].what);
        computes = computes || called == nullptr;
        is_in = is_in || (called != nullptr &&
                          (group == job.groups.size() || part.groups[called->slot] == group));
      }
      if (is_in && !computes) sum += moments[i] - moments[i - 1];
    }
  }
  return sum;
}

TEST(GroupTimes, EqualWhatAnyMomentSays) {
  std::size_t run = 0;
  double exposed = 0;
  for (std::uint32_t seed = 0; run < 100; ++seed) {
    ASSERT_LT(seed, 5000U) << "most random jobs come to no end, but not all";
    const jobs::Job job = jobs::testing::RandomJob(seed).make();
    if (!jobs::check(job).empty()) continue;
    ++run;
    const auto topology = make_topology("single-switch(4)");
    const JobOutcome outcome = run_job(job, *topology, 2);
    const auto times = group_times(job, outcome);
    ASSERT_EQ(times.size(), job.groups.size() + 1);
    for (std::size_t group = 0; group < times.size(); ++group) {
      if (times[group].ranks == 0) continue;
      const double mean =
          exposed_by_moments(job, outcome, group) / static_cast<double>(times[group].ranks);
      ASSERT_NEAR(times[group].exposed, mean, kRounding) << "seed " << seed << ", group " << group;
      ASSERT_LE(times[group].exposed, times[group].busy + kRounding);
      exposed += times[group].exposed;
    }
  }
  EXPECT_GT(exposed, 0);
}

}  // namespace
}  // namespace gradwire::simulator
