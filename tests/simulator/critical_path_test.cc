#include "simulator/critical_path.h"

#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/job_plans.h"

namespace gradwire::simulator {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;
using testing::make_topology;
using testing::run_job;

/// "rank.node start-end ..." of a path.
std::string text(const std::vector<PathStep>& path) {
  std::string text;
  for (const PathStep& step : path) {
    text += fmt::format("{}{}.{} {:g}-{:g}", text.empty() ? "" : ", ", step.rank, step.node,
                        step.start, step.end);
  }
  return text;
}

TEST(CriticalPath, GoesThroughTheLongestChain) {
  // Two streams: 1 s and 5 s, and a node that waits for both.
  const jobs::Job job =
      jobs::testing::job_of_all({compute(1), compute(5, 1), compute(2, 0, {1})}, 1);
  const auto topology = make_topology("single-switch(2)");
  EXPECT_EQ(text(critical_path(job, run_job(job, *topology))), "0.1 0-5, 0.2 5-7");
}

TEST(CriticalPath, CrossesToTheMemberThatCameLast) {
  // Rank 1 computes longer. Both then sum 8 elements (8 s), and rank 0 goes on.
  jobs::Node sum = call(Collective::all_reduce, 0, 8);
  const jobs::Job job =
      jobs::testing::job({{compute(1), sum, compute(3)}, {compute(4), sum}}, {{0, 1}}, {{0}, {0}});
  const auto topology = make_topology("single-switch(2)");
  EXPECT_EQ(text(critical_path(job, run_job(job, *topology))), "1.0 0-4, 0.1 4-12, 0.2 12-15");
}

TEST(CriticalPath, LeavesOutAMemberThatCameTooLateToMatter) {
  // The root's part of a broadcast to ranks 1 and 2 ends only when both have called it.
  const jobs::Node out = call(Collective::broadcast, 0, 4);
  const jobs::Job job =
      jobs::testing::job({{out, compute(1)}, {compute(2), out, compute(20)}, {compute(9), out}},
                         {{0, 1, 2}}, {{0}, {0}, {0}});
  const auto topology = make_topology("single-switch(3)");
  // Rank 1 has all after 2 + 4 s and computes until 26; rank 2 came at 9.
  EXPECT_EQ(text(critical_path(job, run_job(job, *topology))), "1.0 0-2, 1.1 2-6, 1.2 6-26");
}

TEST(CriticalPath, ShowsALagAsAGap) {
  jobs::Node late = compute(1, 1, {0});
  late.lag = Seconds(3);
  const jobs::Job job = jobs::testing::job_of_all({compute(2), late}, 1);
  const auto topology = make_topology("single-switch(2)");
  EXPECT_EQ(text(critical_path(job, run_job(job, *topology))), "0.0 0-2, 0.1 5-6");
}

TEST(CriticalPath, OfAJobThatDoesNothingIsEmpty) {
  const jobs::Job job = jobs::testing::job_of_all({}, 2);
  const auto topology = make_topology("single-switch(2)");
  EXPECT_TRUE(critical_path(job, run_job(job, *topology)).empty());
}

}  // namespace
}  // namespace gradwire::simulator
