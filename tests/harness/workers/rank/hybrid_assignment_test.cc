#include "harness/workers/rank/hybrid_assignment.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/harness/workers/rank/assignments.h"
#include "topologies/registry.h"

/// Hybrid parallelism whose ranks are threads, over TCP on the loopback interface.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

Job job(const std::string& algorithm, const std::string& wiring, const std::string& host) {
  const std::string workload =
      "hybrid(image=1x8, convolutions=4x3+6x3, stack=12+5, samples=4, host=" + host + ")";
  const std::shared_ptr<const topologies::Topology> topology = topologies::make_topology(wiring);
  Job job{.task = {.wiring = topology,
                   .algorithm = algorithms::testing::named(algorithm, *topology, workload),
                   .workload = workloads::parse_workload(workload)},
          .key = {7},
          .seed = 3,
          .timeout = 20s};
  job.ports = testing::loopback_ports(*job.task.wiring);
  return job;
}

/// Runs two iterations on every rank, of which the second is checked; by rank. `seed_of(rank)` is its seed.
template <class SeedOf>
std::vector<std::vector<record::RankIteration>> run(const Job& common, const SeedOf& seed_of) {
  std::vector<std::vector<record::RankIteration>> all(common.task.wiring->hosts());
  testing::on_every_assignment(
      common,
      [&](std::size_t i, Assignment& assignment) {
        for (std::size_t iteration = 0; iteration < 2; ++iteration) {
          const bool last = iteration == 1;
          all[i].push_back(
              assignment.iterate({.iteration = iteration, .check = last, .trace = last}));
        }
      },
      [&](std::size_t i, const testing::OneRank& rank) { rank.job.seed = seed_of(i); });
  return all;
}

struct Way {
  const char* algorithm;
  const char* wiring;
  const char* host;
};

class EveryHybridWay : public ::testing::TestWithParam<Way> {};

// One worker beside the stack's host, two, four; the host among them, or a server; lanes of BML.
INSTANTIATE_TEST_SUITE_P(HybridAssignment, EveryHybridWay,
                         ::testing::Values(Way{"ps(servers=1, dedicated)", "single-switch(2)", "0"},
                                           Way{"ps(servers=1, dedicated)", "single-switch(2)", "1"},
                                           Way{"ring", "single-switch(2)", "1"},
                                           Way{"ps(servers=1, dedicated)", "single-switch(5)", "0"},
                                           Way{"halving-doubling", "single-switch(4)", "2"},
                                           Way{"bml", "bcube(2,2)", "3"}));

// Late-multiply (2017), section 2.2: the weights after a step are those of a single device.
TEST_P(EveryHybridWay, EndsWithTheWeightsOfASingleDevice) {
  const Job common = job(GetParam().algorithm, GetParam().wiring, GetParam().host);
  for (const auto& iterations : run(common, [](std::size_t) { return 3; })) {
    EXPECT_FALSE(iterations[0].wrong) << "not asked for";
    EXPECT_EQ(iterations[1].wrong, 0);
    EXPECT_LT(iterations[1].start, iterations[1].end);
  }
}

// Transfers of all three stages are noted, one stage after the other, within the iteration.
TEST(HybridAssignment, NotesTheTransfersOfEachStage) {
  const auto all = run(job("ring", "single-switch(3)", "0"), [](std::size_t) { return 3; });
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const record::RankIteration& traced = all[rank][1];
    EXPECT_TRUE(all[rank][0].transfers.empty());
    std::vector<std::size_t> of_stage(3);
    for (const record::TracedTransfer& transfer : traced.transfers) {
      ++of_stage.at(transfer.bucket);
      EXPECT_GE(transfer.posted, 0ns);
      EXPECT_LE(transfer.done, traced.end - traced.start);
    }
    // The host exchanges inputs and errors with two workers, a worker with the host. A ring has four steps.
    const std::size_t partners = rank == 0 ? 2 : 1;
    EXPECT_EQ(of_stage, (std::vector<std::size_t>{partners, partners, 8})) << rank;
  }
}

// A worker with another seed has other weights and samples: whatever its share is in is wrong. 12 x 96 + 60
// are the stack's weights, 4 x 9 + 6 x 36 the replicated ones.
TEST(HybridAssignment, AForeignShareIsFound) {
  const auto all =
      run(job("ring", "single-switch(2)", "0"), [](std::size_t rank) { return 3 + rank; });
  EXPECT_GT(all[0][1].wrong.value(), 252 / 2 + 1212 / 4);
  EXPECT_GT(all[1][1].wrong.value(), 252 / 2);
}

}  // namespace
}  // namespace gradwire::workers
