// Whether experiments/mg-wfbp-scaled-*.yaml and mg-wfbp-figure9-MODEL.yaml have the links with which few hosts stand for
// others.
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/experiment/experiment.h"
#include "schedule/collective_cost.h"
#include "topologies/topology.h"

namespace gradwire::experiment {
namespace {

namespace fs = std::filesystem;

/// The network of TPDS Figure 10: the constants of its plotting script.
constexpr schedule::Network kPublished{
    .alpha = Seconds(45.25e-6), .beta = 0.9934107462565104e-9, .gamma = 2.5e-9};

// a and b of a ring of so many hosts with the file's start-up time and payload rate, where adding
// takes no time beside sending, are those that the file says it stands for. Start-up times are whole
// nanoseconds, of 19 us and more.
void expect_cost(const std::string& name, const schedule::Affine& wanted, std::size_t hosts = 8) {
  SCOPED_TRACE(name);
  const Experiment experiment =
      load_experiment(fs::path(GRADWIRE_ROOT) / "experiments" / (name + ".yaml"));
  EXPECT_EQ(experiment.name, name);
  for (const Point& point : experiment.points) EXPECT_EQ(point.task.wiring->hosts(), hosts);
  const schedule::Affine few =
      schedule::ring(hosts, {.alpha = experiment.startup,
                             .beta = 8 / payload_rate(experiment).bits_per_second,
                             .gamma = 0});
  EXPECT_NEAR(few.a / wanted.a, 1, 0.5e-9 / 19e-6);
  EXPECT_NEAR(few.b / wanted.b, 1, 1e-6);
}

// 2(N-1) alpha, and 2(N-1)/N beta + (N-1)/N gamma.
TEST(ScaledFiles, HaveTheCostOfAnotherRing) {
  for (const std::size_t workers : {4, 8, 16, 32, 64, 128, 256, 512}) {
    expect_cost(fmt::format("mg-wfbp-scaled-{}", workers), schedule::ring(workers, kPublished));
  }
}

// 2 log2(N) alpha, and 2 beta + gamma.
TEST(ScaledFiles, HaveTheCostOfDoubleBinaryTrees) {
  for (const std::size_t workers : {128, 512, 2048}) {
    expect_cost(fmt::format("mg-wfbp-scaled-trees-{}", workers),
                schedule::double_binary_trees(workers, kPublished));
  }
}

// The paper's fit on 10GbE, of 16 V100.
TEST(ScaledFiles, HaveTheCostOfFigure9) {
  for (const char* model : {"resnet152", "densenet161"}) {
    expect_cost(fmt::format("mg-wfbp-figure9-{}", model), {Seconds(9.08e-4), 7.4e-10}, 4);
  }
}

}  // namespace
}  // namespace gradwire::experiment
