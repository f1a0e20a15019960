#include "simulator/least_iteration.h"

#include <gtest/gtest.h>

#include "schedule/jobs/check.h"
#include "tests/schedule/jobs/random_job.h"
#include "tests/simulator/job_plans.h"
#include "tests/simulator/rounding.h"

namespace gradwire::simulator {
namespace {

using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::run_job;
using testing::simple_plans;

double least_on(const std::string& wiring, const jobs::Job& job) {
  const auto topology = make_topology(wiring);
  return least_iteration(*topology, job, simple_plans(*topology), kElementPerSecond);
}

// c of computing and d of sending one after the other; the longer of the two beside each other.
TEST(LeastIteration, IsTheLongestWayThroughAProgram) {
  EXPECT_NEAR(least_on("single-switch(2)", jobs::testing::compute_and_send(4, 6)), 10, kRounding);
  const jobs::Node sum = call(Collective::all_reduce, 0, 12, 1);
  for (const double c : {5.0, 17.0}) {
    const jobs::Job job = jobs::testing::job_of_all({compute(c), sum}, 4);
    EXPECT_NEAR(least_on("single-switch(4)", job), std::max(c, 2 * 3.0 / 4 * 12), kRounding);
  }
  jobs::Node late = compute(1, 2, {1});
  late.lag = Seconds(2);
  const jobs::Job job = jobs::testing::job_of_all({compute(5), sum, late}, 4);
  EXPECT_NEAR(least_on("single-switch(4)", job), 18 + 2 + 1, kRounding);
}

// Rank 0 sends 6 and 8 elements on two streams at once, through one port, or two.
TEST(LeastIteration, IsWhatARankSends) {
  const jobs::Node first = call(Collective::send, 0, 6);
  const jobs::Node second = call(Collective::send, 1, 8, 1);
  const jobs::Node taken = call(Collective::send, 0, 8);
  const jobs::Job job =
      jobs::testing::job({{first, second}, {first}, {taken}}, {{0, 1}, {0, 2}}, {{0, 1}, {0}, {1}});
  EXPECT_NEAR(least_on("single-switch(3)", job), 14, kRounding);
  EXPECT_NEAR(least_on("bcube(2,2)", job), 7, kRounding);
}

TEST(LeastIteration, CountsBytesOfTheCallsType) {
  jobs::Node send = call(Collective::send, 0, 8);
  std::get<jobs::Call>(send.what).dtype = Dtype::float16;
  const jobs::Job job = jobs::testing::job_of_all({send}, 2);
  EXPECT_NEAR(least_on("single-switch(2)", job), 4, kRounding) << "half the bytes of eight floats";
}

// Nothing is faster: any job, alone, on whatever hosts.
TEST(LeastIteration, IsNeverBeaten) {
  std::size_t run = 0;
  for (std::uint32_t seed = 0; run < 200; ++seed) {
    ASSERT_LT(seed, 10'000U);
    const jobs::Job job = jobs::testing::RandomJob(seed).make();
    if (!jobs::check(job).empty()) continue;
    ++run;
    constexpr std::size_t kIterations = 3;
    for (const char* wiring : {"single-switch(4)", "bcube(2,2)", "leaf-spine(2,2,1)"}) {
      const auto topology = make_topology(wiring);
      const double least =
          least_iteration(*topology, job, simple_plans(*topology), kElementPerSecond);
      const double mean = run_job(job, *topology, kIterations).ends.back() / kIterations;
      EXPECT_LE(least, mean + kRounding) << wiring << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gradwire::simulator
