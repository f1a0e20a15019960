#include <algorithm>

#include <gtest/gtest.h>

#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/job_plans.h"
#include "tests/simulator/rounding.h"

/// Several jobs on one fabric.
namespace gradwire::simulator {
namespace {

using jobs::testing::compute_and_send;
using testing::kElementPerSecond;
using testing::make_topology;
using testing::simple_plans;

// Two equal jobs that compute c and communicate d over one link, started x apart, take
// c + 2 d - min(x, c + d - x, c, d) each, for 0 <= x <= c + d.
TEST(JobsSharing, KeepTheirOffset) {
  const auto topology = make_topology("leaf-spine(2,2,1)");  // hosts 0, 1 and 2, 3; one uplink each
  for (const auto& [c, d] : {std::pair(10.0, 4U), std::pair(4.0, 10U), std::pair(7.0, 7U),
                             std::pair(0.5, 12U), std::pair(9.0, 8U)}) {
    const jobs::Job job = compute_and_send(c, d);
    for (int part = 0; part <= 20; ++part) {
      const double x = (c + d) * part / 20;
      const std::vector<Tenant> tenants{
          {.job = job, .seats = {Rank(0), Rank(2)}, .iterations = 12},
          {.job = job, .seats = {Rank(1), Rank(3)}, .start = Seconds(x), .iterations = 12}};
      const auto outcomes = simulate(*topology, tenants, simple_plans(*topology), kElementPerSecond,
                                     {.goes_on = true});
      const double expected = c + 2 * d - std::min({x, c + d - x, c, static_cast<double>(d)});
      for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(outcomes[i].duration(11, tenants[i].start), expected, kRounding)
            << "job " << i << ": c " << c << ", d " << d << ", x " << x;
      }
    }
  }
}

// J at once: c + J d.
TEST(JobsSharing, AtOnceTakeTheSumOfWhatTheySend) {
  for (const std::size_t count : {1U, 2U, 3U, 5U, 8U}) {
    const auto topology = make_topology(fmt::format("leaf-spine(2,{},1)", count));
    const jobs::Job job = compute_and_send(3, 6);
    std::vector<Tenant> tenants;
    for (std::size_t i = 0; i < count; ++i) {
      tenants.push_back({.job = job, .seats = {Rank(i), Rank(count + i)}, .iterations = 4});
    }
    const auto outcomes = simulate(*topology, tenants, simple_plans(*topology), kElementPerSecond);
    for (const JobOutcome& outcome : outcomes) {
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(outcome.duration(k, Seconds(0)), 3 + 6.0 * static_cast<double>(count),
                    kRounding);
      }
    }
  }
}

TEST(JobsSharing, AreAloneWhereTheyShareNoLink) {
  const auto topology = make_topology("single-switch(4)");
  const jobs::Job job = compute_and_send(3, 6);
  const std::vector<Tenant> tenants{{.job = job, .seats = {Rank(0), Rank(1)}},
                                    {.job = job, .seats = {Rank(3), Rank(2)}}};
  for (const JobOutcome& outcome :
       simulate(*topology, tenants, simple_plans(*topology), kElementPerSecond)) {
    EXPECT_NEAR(outcome.ends.front(), 9, kRounding);
  }
}

TEST(JobsSharing, GoOnWhileOthersAreNotDone) {
  const auto topology = make_topology("leaf-spine(2,2,1)");
  // The first job sends all the time. The second counts a single iteration.
  const jobs::Job job = compute_and_send(0, 6);
  const std::vector<Tenant> tenants{{.job = job, .seats = {Rank(0), Rank(2)}, .iterations = 10},
                                    {.job = job, .seats = {Rank(1), Rank(3)}, .iterations = 1}};
  const auto last = [&](bool goes_on) {
    return simulate(*topology, tenants, simple_plans(*topology), kElementPerSecond,
                    {.goes_on = goes_on})
        .front()
        .ends.back();
  };
  EXPECT_NEAR(last(true), 10 * 12, kRounding);
  EXPECT_NEAR(last(false), 12 + 9 * 6, kRounding);
}

}  // namespace
}  // namespace gradwire::simulator
