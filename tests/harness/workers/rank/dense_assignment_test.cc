#include "harness/workers/rank/dense_assignment.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/harness/workers/rank/assignments.h"
#include "topologies/registry.h"

/// Jobs of fully connected layers whose ranks are threads, over TCP on the loopback interface.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

constexpr const char* kLayers = "dense(model=lenet5, samples=6)";

Job job(const std::string& algorithm, const std::string& wiring, const std::string& workload) {
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

/// Runs two iterations on every rank; by rank. Throws what the first rank that failed threw.
std::vector<std::vector<record::RankIteration>> run(const Job& common) {
  std::vector<std::vector<record::RankIteration>> all(common.task.wiring->hosts());
  testing::on_every_assignment(common, [&](std::size_t i, Assignment& assignment) {
    for (std::size_t iteration = 0; iteration < 2; ++iteration) {
      all[i].push_back(assignment.iterate({.iteration = iteration, .check = iteration == 1}));
    }
  });
  return all;
}

struct Way {
  const char* algorithm;
  const char* wiring;
};

class EveryDenseWay : public ::testing::TestWithParam<Way> {};

// A rank's part of bml is two extents; of the others it is one.
INSTANTIATE_TEST_SUITE_P(DenseAssignment, EveryDenseWay,
                         ::testing::Values(Way{"ring", "single-switch(3)"},
                                           Way{"ps(servers=1)", "single-switch(3)"},
                                           Way{"bml", "bcube(2,2)"},
                                           Way{"all-gather(ring)", "single-switch(3)"},
                                           Way{"all-gather(bruck)", "single-switch(3)"},
                                           Way{"all-gather(direct)", "single-switch(4)"},
                                           Way{"all-gather(bml)", "bcube(2,2)"}));

// Late-multiply (2017), section 2.1: either way W_avg = 1/n sum_i E_i^T X_i, held against double
// precision; two that are within 5e-7 of the same average are within 1e-6 of each other.
TEST_P(EveryDenseWay, EndsWithTheAverageOfAllProducts) {
  for (const auto& iterations : run(job(GetParam().algorithm, GetParam().wiring, kLayers))) {
    EXPECT_FALSE(iterations[0].wrong) << "not asked for";
    EXPECT_FALSE(iterations[0].dense.value().deviation);
    const record::RankIteration& checked = iterations[1];
    EXPECT_EQ(checked.wrong, 0);
    EXPECT_GT(checked.dense.value().deviation.value(), 0);
    EXPECT_LT(checked.dense->deviation.value(), 5e-7);
    EXPECT_GT(checked.dense->products, 0ns);
    EXPECT_LT(checked.start, checked.end);
  }
}

// A dedicated server has no samples: the average is that of the others, and it forms no product.
TEST(DenseAssignment, ADedicatedServerOnlyAdds) {
  const auto all = run(job("ps(servers=1, dedicated)", "single-switch(4)", kLayers));
  std::size_t servers = 0;
  for (const auto& iterations : all) {
    EXPECT_EQ(iterations[1].wrong, 0);
    if (iterations[1].dense.value().deviation) continue;
    ++servers;
  }
  EXPECT_EQ(servers, 1u);
}

// What reaches the ranks is another run's: a rank with another seed has other inputs, so every average
// that its share is in is wrong.
TEST(DenseAssignment, AForeignShareIsFound) {
  for (const char* algorithm : {"ring", "all-gather(ring)"}) {
    Job common = job(algorithm, "single-switch(2)", "dense(inputs=40, outputs=30, samples=5)");
    std::vector<record::RankIteration> found(2);
    testing::on_every_assignment(
        common,
        [&](std::size_t i, Assignment& assignment) {
          found[i] = assignment.iterate({.check = true});
        },
        [](std::size_t i, const testing::OneRank& rank) { rank.job.seed = 3 + i; });
    for (const record::RankIteration& iteration : found) {
      EXPECT_GT(iteration.wrong.value(), 1100) << algorithm << ": of 1200";
      EXPECT_GT(iteration.dense.value().deviation.value(), 0.1) << algorithm;
    }
  }
}

}  // namespace
}  // namespace gradwire::workers
