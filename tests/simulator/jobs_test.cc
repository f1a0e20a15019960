#include "simulator/jobs.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
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
using jobs::testing::job_of_all;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using testing::make_topology;
using testing::run_job;

TEST(Jobs, ComputeAlongTheLongestChain) {
  // Against the longest path, computed node by node: streams and `after` are edges, lags add to the
  // latter.
  const auto topology = make_topology("single-switch(2)");
  std::mt19937 random(7);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  for (int round = 0; round < 100; ++round) {
    std::vector<jobs::Node> nodes;
    std::vector<double> ends;
    for (std::size_t i = 0; i < 30; ++i) {
      jobs::Node node =
          compute(static_cast<double>(below(1000)) / 7, static_cast<std::uint32_t>(below(4)));
      if (below(3) == 0) node.lag = Seconds(static_cast<double>(below(100)) / 3);
      for (std::size_t k = below(3); k > 0 && i > 0; --k) {
        node.after.push_back(static_cast<std::uint32_t>(below(i)));
      }
      double start = node.after.empty() ? node.lag.count() : 0;
      for (std::size_t j = 0; j < i; ++j) {
        if (nodes[j].stream == node.stream) start = std::max(start, ends[j]);
      }
      for (const std::uint32_t before : node.after) {
        start = std::max(start, ends[before] + node.lag.count());
      }
      ends.push_back(start + std::get<jobs::Compute>(node.what).time.count());
      nodes.push_back(node);
    }
    const JobOutcome outcome = run_job(job_of_all(nodes, 1), *topology);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      ASSERT_EQ(outcome.nodes.front()[i].end, ends[i]) << "round " << round << " node " << i;
    }
    EXPECT_EQ(outcome.ends.front(), *std::ranges::max_element(ends));
  }
}

// P stages pass M microbatches on, each of f seconds, and s elements between them. All overlap:
// P f + (P - 1) s + (M - 1) max(f, s).
double pipeline(std::size_t stages, std::size_t batches, double f, std::size_t s) {
  std::vector<std::vector<jobs::Node>> programs(stages);
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::vector<std::uint32_t>> groups_of(stages);
  for (std::size_t stage = 0; stage + 1 < stages; ++stage) {
    groups.push_back({stage, stage + 1});
    groups_of[stage].push_back(static_cast<std::uint32_t>(stage));
    groups_of[stage + 1].push_back(static_cast<std::uint32_t>(stage));
  }
  for (std::size_t stage = 0; stage < stages; ++stage) {
    auto& nodes = programs[stage];
    const bool receives = stage > 0;
    for (std::size_t i = 0; i < batches; ++i) {
      if (receives) {
        // The first stage's only group is the one behind it; of all others it is the second.
        const std::uint32_t slot = 0;
        nodes.push_back(call(Collective::send, slot, s, 1));
      }
      std::vector<std::uint32_t> after;
      if (receives) after.push_back(static_cast<std::uint32_t>(nodes.size() - 1));
      nodes.push_back(compute(f, 0, after));
      if (stage + 1 == stages) continue;
      const auto computed = static_cast<std::uint32_t>(nodes.size() - 1);
      nodes.push_back(call(Collective::send, receives ? 1 : 0, s, 2, {computed}));
    }
  }
  const jobs::Job job = jobs::testing::job(std::move(programs), groups, std::move(groups_of));
  EXPECT_TRUE(jobs::check(job).empty());
  const auto topology =
      make_topology(fmt::format("single-switch({})", std::max<std::size_t>(stages, 2)));
  return run_job(job, *topology).ends.front();
}

TEST(Jobs, FillAndDrainAPipeline) {
  for (const std::size_t stages : {1U, 2U, 3U, 5U}) {
    for (const std::size_t batches : {1U, 2U, 7U}) {
      for (const auto& [f, s] : {std::pair(3.0, 2U), std::pair(2.0, 5U), std::pair(4.0, 4U)}) {
        const auto p = static_cast<double>(stages);
        const auto m = static_cast<double>(batches);
        const double slowest = stages == 1 ? f : std::max<double>(f, s);
        EXPECT_NEAR(pipeline(stages, batches, f, s), p * f + (p - 1) * s + (m - 1) * slowest,
                    kRounding)
            << stages << " stages, " << batches << " batches, f " << f << ", s " << s;
      }
    }
  }
}

// A ring of N takes 2 (N-1)/N S. Beside computing it costs only what computing does not hide.
TEST(Jobs, HideCommunicationBehindComputing) {
  const auto topology = make_topology("single-switch(4)");
  for (const double c : {1.0, 6.0, 20.0}) {
    const jobs::Job job = job_of_all({compute(c), call(Collective::all_reduce, 0, 8, 1)}, 4);
    EXPECT_NEAR(run_job(job, *topology).ends.front(), std::max(c, 2 * 3.0 / 4 * 8), kRounding);
  }
}

// What is under way at once shares the NICs: two of S and T > S elements take
// 2 S and S + T of one alone.
TEST(Jobs, ShareNicsBetweenCollectivesOfOneGroup) {
  const auto topology = make_topology("single-switch(2)");
  const jobs::Job job =
      job_of_all({call(Collective::broadcast, 0, 6, 0), call(Collective::broadcast, 0, 10, 1)}, 2);
  const JobOutcome outcome = run_job(job, *topology);
  EXPECT_THAT(outcome.nodes[1][0].end, DoubleNear(12, kRounding));
  EXPECT_THAT(outcome.nodes[1][1].end, DoubleNear(16, kRounding));
  const jobs::Job in_turn =
      job_of_all({call(Collective::broadcast, 0, 6, 0), call(Collective::broadcast, 0, 10, 0)}, 2);
  EXPECT_THAT(run_job(in_turn, *topology).nodes[1][0].end, DoubleNear(6, kRounding));
  EXPECT_THAT(run_job(in_turn, *topology).nodes[1][1].end, DoubleNear(16, kRounding));
}

TEST(Jobs, LetGroupsOnOtherHostsBe) {
  const auto topology = make_topology("single-switch(6)");
  const std::vector<std::vector<jobs::Node>> programs(6, {call(Collective::all_reduce, 0, 9)});
  const jobs::Job job =
      jobs::testing::job(programs, {{5, 1, 2}, {0, 3, 4}}, {{1}, {0}, {0}, {1}, {1}, {0}});
  EXPECT_NEAR(run_job(job, *topology).ends.front(), 2 * 2.0 / 3 * 9, kRounding);
}

TEST(Jobs, SizeElementsByTheirType) {
  const auto topology = make_topology("single-switch(2)");
  jobs::Node node = call(Collective::send, 0, 10);
  std::get<jobs::Call>(node.what).dtype = Dtype::bfloat16;
  // The link passes four bytes a second.
  EXPECT_NEAR(run_job(job_of_all({node}, 2), *topology).ends.front(), 5, kRounding);
}

TEST(Jobs, RepeatIterationsRankByRank) {
  const auto topology = make_topology("single-switch(2)");
  // Rank 0 computes 3 s and sends 2 elements; rank 1 receives and computes 4 s. From the second
  // iteration on rank 1 decides: it begins to receive when it has computed.
  const jobs::Node send = call(Collective::send, 0, 2);
  const jobs::Job job =
      jobs::testing::job({{compute(3), send}, {send, compute(4)}}, {{0, 1}}, {{0}, {0}});
  const JobOutcome outcome = run_job(job, *topology, 3);
  EXPECT_THAT(outcome.ends, ElementsAre(DoubleNear(9, kRounding), DoubleNear(15, kRounding),
                                        DoubleNear(21, kRounding)));
  EXPECT_NEAR(outcome.duration(0, Seconds(0)), 9, kRounding);
  EXPECT_NEAR(outcome.duration(2, Seconds(0)), 6, kRounding);
  EXPECT_NEAR(outcome.nodes[1][1].start, 17, kRounding) << "times are those of the last iteration";
  EXPECT_EQ(outcome.messages, 3U);
}

TEST(Jobs, KeepIterationsOfAFastMemberApart) {
  const auto topology = make_topology("single-switch(2)");
  // The root waits in its second broadcast while rank 1 still computes in its first iteration.
  const jobs::Node out = call(Collective::broadcast, 0, 1);
  const jobs::Job job = jobs::testing::job({{out}, {out, compute(10)}}, {{0, 1}}, {{0}, {0}});
  EXPECT_THAT(
      run_job(job, *topology, 3).ends,
      ElementsAre(DoubleNear(11, kRounding), DoubleNear(22, kRounding), DoubleNear(33, kRounding)));
}

TEST(Jobs, RunWithoutNodesAndWithoutCompany) {
  const auto topology = make_topology("single-switch(2)");
  EXPECT_THAT(run_job(job_of_all({}, 2), *topology, 2).ends, ElementsAre(0, 0));
  const jobs::Job alone = job_of_all({call(Collective::all_reduce, 0, 5), compute(2)}, 1);
  EXPECT_THAT(run_job(alone, *topology, 2).ends, ElementsAre(2, 4));
}

TEST(Jobs, EndWhenTheyWereChecked) {
  const auto topology = make_topology("single-switch(4)");
  std::size_t ran = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const jobs::Job job = jobs::testing::RandomJob(seed).make();
    if (!jobs::check(job).empty()) continue;
    const JobOutcome outcome = run_job(job, *topology, 2);
    ASSERT_LE(outcome.ends[0], outcome.ends[1]) << "seed " << seed;
    ++ran;
  }
  EXPECT_GT(ran, 100U);
}

TEST(Jobs, RunEveryCollective) {
  // In one step on a switch: what the busiest port sends or receives.
  const auto topology = make_topology("single-switch(4)");
  const auto time = [&](Collective what) {
    return run_job(job_of_all({call(what, 0, 12)}, 4), *topology).ends.front();
  };
  EXPECT_NEAR(time(Collective::all_reduce), 2 * 3 * 3, kRounding);
  EXPECT_NEAR(time(Collective::reduce_scatter), 3 * 3, kRounding);
  EXPECT_NEAR(time(Collective::all_gather), 3 * 3, kRounding);
  EXPECT_NEAR(time(Collective::broadcast), 3 * 12, kRounding);
  EXPECT_NEAR(time(Collective::reduce), 3 * 12, kRounding);
  EXPECT_NEAR(time(Collective::all_to_all), 3 * 3, kRounding);
}

TEST(Jobs, AreHeldUpByTheirProgress) {
  const auto topology = make_topology("single-switch(2)");
  const jobs::Job job = job_of_all({compute(1)}, 1);
  const std::vector<Tenant> tenants{{.job = job, .seats = testing::first_hosts(1)}};
  const JobsOptions options{.progress = [] { throw InputError("stop"); }};
  EXPECT_THROW(std::ignore = simulate(*topology, tenants, testing::simple_plans(*topology),
                                      testing::kElementPerSecond, options),
               InputError);
}

}  // namespace
}  // namespace gradwire::simulator
