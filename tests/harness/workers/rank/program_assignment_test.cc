#include "harness/workers/rank/program_assignment.h"

#include <functional>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "core/error.h"
#include "schedule/jobs/check.h"
#include "tests/harness/workers/rank/assignments.h"
#include "tests/schedule/jobs/jobs.h"
#include "topologies/registry.h"
#include "transport/loopback/rendezvous.h"

/// Jobs of many collectives whose ranks are threads, over TCP on the loopback interface.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
using jobs::Collective;
using jobs::testing::call;
using jobs::testing::compute;

/// By host, run.
using Outcomes = std::vector<std::vector<record::RankIteration>>;

SeatedJob seated(jobs::Job job, std::size_t first_host = 0) {
  EXPECT_TRUE(jobs::check(job).empty());
  SeatedJob seated{.job = std::make_shared<const jobs::Job>(std::move(job))};
  for (std::size_t rank = 0; rank < seated.job->ranks.size(); ++rank) {
    seated.seats.emplace_back(first_host + rank);
  }
  return seated;
}

Job job_on(const std::string& wiring, std::vector<SeatedJob> jobs) {
  return {.task = {.wiring = topologies::make_topology(wiring)},
          .graphs = JobGraphs{.jobs = std::move(jobs), .algorithms = {}},
          .ports = {{.device = "lo", .address = "127.0.0.1"}},
          .key = {9},
          .timeout = 10s};
}

/// Runs it on every host, `change`d there: a run that is checked, and `runs` that are not. Throws what
/// the first host that failed threw.
Outcomes run(const Job& common, std::size_t runs,
             const std::function<void(Job&, transport::Cancellation&)>& change = {}) {
  Outcomes outcomes(common.task.wiring->hosts());
  testing::on_every_assignment(
      common,
      [&](std::size_t i, Assignment& assignment) {
        for (std::size_t number = 0; number <= runs; ++number) {
          outcomes[i].push_back(assignment.iterate({.iteration = number, .check = number == 0}));
        }
      },
      [&](std::size_t, const testing::OneRank& rank) {
        if (change) change(rank.job, rank.cancellation);
      });
  return outcomes;
}

std::int64_t wrong(const Outcomes& outcomes) {
  std::int64_t wrong = 0;
  for (const auto& host : outcomes) {
    for (const record::RankIteration& one : host) wrong += one.wrong.value();
  }
  return wrong;
}

/// Tensor groups {2i, 2i + 1}, data groups 4 apart in each half, and pipelines {i, i + 8}: 16 ranks as
/// 2 x 4 x 2. Nothing comes after anything, so all collectives of a rank are under way at once.
jobs::Job grid() {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::vector<std::uint32_t>> groups_of(16);
  const auto add = [&](std::vector<std::size_t> ranks) {
    for (const std::size_t rank : ranks) {
      groups_of[rank].push_back(static_cast<std::uint32_t>(groups.size()));
    }
    groups.push_back(std::move(ranks));
  };
  for (std::size_t i = 0; i < 8; ++i) add({2 * i, 2 * i + 1});
  for (const std::size_t i : {0U, 1U, 8U, 9U}) add({i, i + 2, i + 4, i + 6});
  for (std::size_t i = 0; i < 8; ++i) add({i, i + 8});
  jobs::Node halves = call(Collective::all_reduce, 1, 5'000, 3);
  std::get<jobs::Call>(halves.what).dtype = Dtype::bfloat16;
  const std::vector<jobs::Node> program{call(Collective::all_reduce, 0, 3'001, 0),
                                        compute(1e-3, 0),
                                        call(Collective::all_reduce, 0, 20'000, 0),
                                        call(Collective::all_gather, 1, 4'003, 1),
                                        call(Collective::reduce_scatter, 1, 4'003, 1),
                                        call(Collective::send, 2, 7'001, 2),
                                        halves,
                                        call(Collective::all_to_all, 1, 1'000, 4)};
  return jobs::testing::job(std::vector<std::vector<jobs::Node>>(16, program), groups, groups_of);
}

/// Every sum of three dimensions of groups at once is right: 7 calls of each of 16 ranks where all are
/// looked at, else one of each channel. Of those on stream 1 two are of different kinds, so there are 6.
TEST(ProgramAssignment, SumsInGroupsOfThreeDimensionsAtOnce) {
  const Outcomes outcomes = run(job_on("single-switch(16)", {seated(grid())}), 3);
  EXPECT_EQ(wrong(outcomes), 0);
  for (const auto& host : outcomes) {
    EXPECT_EQ(host[0].program->verified, 7U);
    for (std::size_t number = 1; number < host.size(); ++number) {
      EXPECT_EQ(host[number].program->verified, 6U);
    }
  }
}

/// Rank 0 calls a sum on stream 0 that rank 1 calls only after a broadcast, which rank 0 sends only after
/// a second sum of the same group on stream 1: both sums are under way on rank 0, or nobody gets on.
TEST(ProgramAssignment, KeepsCollectivesOfOneGroupUnderWay) {
  const jobs::Job job = jobs::testing::job(
      {{call(Collective::all_reduce, 0, 100, 0), call(Collective::all_reduce, 0, 100, 1),
        call(Collective::broadcast, 1, 100, 1)},
       {call(Collective::broadcast, 1, 100, 0), call(Collective::all_reduce, 0, 100, 0),
        call(Collective::all_reduce, 0, 100, 1)}},
      {{0, 1}, {0, 1}}, {{0, 1}, {0, 1}});
  const Outcomes outcomes = run(job_on("single-switch(2)", {seated(job)}), 1);
  EXPECT_EQ(wrong(outcomes), 0);
  EXPECT_GE(outcomes[0][1].program->nodes[0].end, outcomes[1][1].program->nodes[1].start)
      << "a sum is over when the last has called it";
}

/// Several iterations in one run, of which two count; a collective ends on no member before the last has
/// called it, and all times count from one moment.
TEST(ProgramAssignment, RunsIterationsOneAfterTheOther) {
  SeatedJob one = seated(jobs::testing::job(
      {{compute(2e-3), call(Collective::all_reduce, 0, 64)}, {call(Collective::all_reduce, 0, 64)}},
      {{0, 1}}, {{0}, {0}}));
  one.iterations = 4;
  one.counted = 2;
  const Outcomes outcomes = run(job_on("single-switch(2)", {one}), 1);
  EXPECT_EQ(wrong(outcomes), 0);
  EXPECT_EQ(outcomes[0][1].start, outcomes[1][1].start);
  for (const auto& host : outcomes) {
    const record::RankProgram& ran = host[1].program.value();
    ASSERT_EQ(ran.ends.size(), 2U);
    EXPECT_GE(ran.ends[0], host[1].start + 2ms);
    EXPECT_GE(ran.ends[1], host[1].start + 4ms) << "rank 1 waits for what rank 0 computes";
    EXPECT_EQ(host[0].program->ends.size(), 1U) << "a run that is checked is one iteration";
  }
}

/// Two jobs and a host without any: each has its own ranks and start.
TEST(ProgramAssignment, RunsJobsBesideEachOther) {
  SeatedJob late = seated(jobs::testing::compute_and_send(1e-3, 5'000), 3);
  late.start = Seconds(20e-3);
  Job job =
      job_on("single-switch(5)", {seated(jobs::testing::compute_and_send(0, 5'000), 1), late});
  job.graphs->dilation = 2;
  const Outcomes outcomes = run(job, 1);
  EXPECT_EQ(wrong(outcomes), 0);
  EXPECT_TRUE(outcomes[0][1].program->nodes.empty()) << "nobody sits on host 0";
  EXPECT_EQ(outcomes[4][0].program->verified, 1U);
  EXPECT_GE(outcomes[3][1].program->nodes[0].start, outcomes[3][1].start + 40ms)
      << "20 ms, dilated";
  EXPECT_GE(outcomes[3][1].program->ends[0], outcomes[3][1].start + 42ms);
}

/// Rank 1 begins with other values than the others expect: each of its members' sums is wrong, in the
/// run that is checked and in the others.
TEST(ProgramAssignment, FindsWrongSums) {
  const jobs::Job job = jobs::testing::job_of_all({call(Collective::all_reduce, 0, 500)}, 3);
  const Outcomes outcomes =
      run(job_on("single-switch(3)", {seated(job)}), 2, [](Job& mine, transport::Cancellation&) {
        if (mine.rank == Rank(1)) mine.seed = 77;
      });
  for (const auto& host : outcomes) {
    for (const record::RankIteration& one : host) EXPECT_GT(one.wrong.value(), 400);
  }
}

/// Who gives up is named by those who wait for it.
TEST(ProgramAssignment, NamesWhoIsGone) {
  const jobs::Job job = jobs::testing::job_of_all({call(Collective::all_reduce, 0, 500)}, 2);
  Job common = job_on("single-switch(2)", {seated(job)});
  transport::loopback::MeetingPoint meeting(2, 60s);
  try {
    testing::on_every_rank(2, [&](std::size_t i) {
      Job mine = common;
      mine.rank = Rank(i);
      const SteadyClock clock;
      transport::Cancellation cancellation;
      transport::loopback::LocalRendezvous rendezvous(meeting, mine.rank);
      const auto assignment = make_assignment(
          mine, {.rendezvous = rendezvous, .cancellation = cancellation, .clock = clock});
      if (i == 1) cancellation.request();
      static_cast<void>(assignment->iterate({.iteration = 1}));
    });
    FAIL() << "rank 1 is gone";
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::peer_closed) << error.what();
    EXPECT_EQ(error.place().peer, Rank(1)) << error.what();
  }
}

/// A host that was told of another job makes other Plans, which is found out before anything moves.
TEST(ProgramAssignment, IsRefusedWhereHostsDisagree) {
  const auto sum = [](std::size_t elements) {
    return seated(jobs::testing::job_of_all({call(Collective::all_reduce, 0, elements)}, 3));
  };
  EXPECT_THROW(static_cast<void>(run(job_on("single-switch(3)", {sum(500)}), 0,
                                     [&](Job& mine, transport::Cancellation&) {
                                       if (mine.rank == Rank(2)) mine.graphs->jobs = {sum(501)};
                                     })),
               FabricError);
}

/// What travels to a worker is what was sent, but for names.
TEST(JobGraphs, Travel) {
  SeatedJob one = seated(grid());
  one.start = Seconds(1.0 / 3);
  one.iterations = 5;
  one.counted = 3;
  Job job = job_on("single-switch(16)", {one});
  job.graphs->algorithms = {"all-reduce(bruck)"};
  job.graphs->dilation = 12.5;
  const Job arrived = job_from_json(nlohmann::json::parse(to_json(job).dump()));
  ASSERT_TRUE(arrived.graphs.has_value());
  EXPECT_FALSE(arrived.is_calibration());
  EXPECT_EQ(to_json(arrived), to_json(job));
  const SeatedJob& back = arrived.graphs->jobs.at(0);
  EXPECT_EQ(back.seats, one.seats);
  EXPECT_EQ(back.start, one.start);
  EXPECT_EQ(back.counted, 3U);
  EXPECT_EQ(arrived.graphs->dilation, 12.5);
  EXPECT_EQ(arrived.graphs->seat_of(Rank(7))->rank, Rank(7));
  EXPECT_EQ(std::get<jobs::Call>(back.job->programs[3].nodes[6].what).dtype, Dtype::bfloat16);
}

}  // namespace
}  // namespace gradwire::workers
