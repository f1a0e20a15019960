#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/run/libraries.h"
#include "harness/run/machine_needs.h"
#include "harness/run/prepare.h"

/// Points whose workload is fully connected layers, made ready.
namespace gradwire::run {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

experiment::Experiment experiment_of(const std::string& algorithm, const std::string& workload) {
  return experiment::load_experiment_text(
      "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nwiring: single-switch(4)\nalgorithm: \"" +
          algorithm + "\"\nworkload: \"" + workload + "\"\n",
      "x.yaml");
}

PreparedPoint point_of(const std::string& algorithm, const std::string& workload) {
  return prepare(experiment_of(algorithm, workload), record::Backing::emulated).at(0);
}

std::string refusal(const std::string& algorithm, const std::string& workload) {
  for (const record::Backing backing : {record::Backing::simulated, record::Backing::emulated}) {
    try {
      static_cast<void>(prepare(experiment_of(algorithm, workload), backing));
    } catch (const InputError& error) {
      return error.what();
    }
  }
  return "none";
}

constexpr const char* kAlexnet = "dense(model=alexnet, samples=64)";

// Late-multiply (2017), section 2.1, AlexNet with 4 workers of 64 samples: a ring's port carries
// 2 (n-1)/n K N values, and an all-gather's (n-1) M (N + K).
TEST(DensePoints, PortsCarryWhatThePaperCounts) {
  const PreparedPoint ring = point_of("ring", kAlexnet);
  EXPECT_EQ(ring.configuration.elements, 58'621'952u);
  EXPECT_EQ(busiest_port_bytes(ring), 4 * 2 * 3.0 / 4 * 58'621'952);
  for (const char* late : {"all-gather(ring)", "all-gather(bruck)", "all-gather(direct)"}) {
    const PreparedPoint gather = point_of(late, kAlexnet);
    EXPECT_EQ(gather.configuration.elements, 4u * 64 * 26'600);
    EXPECT_EQ(busiest_port_bytes(gather), 4 * 3.0 * 64 * 26'600) << late;
  }
  EXPECT_EQ(ring.configuration.workload, kAlexnet);
}

TEST(DensePoints, HaveKeysOfTheirOwn) {
  const std::string key = point_of("ring", kAlexnet).key;
  EXPECT_EQ(point_of("ring", "dense(samples=64, model=alexnet)").key, key) << "another spelling";
  EXPECT_NE(point_of("ring", "dense(model=alexnet, samples=32)").key, key);
}

// A rank of a ring has its gradient, X and E, and the reference; of late-multiply everybody's X and E,
// the gradient, and the reference.
TEST(DensePoints, CountTheirMemory) {
  const double gradient = 4 * 4e6;     // K N
  const double share = 4 * 100 * 4e3;  // M (N + K) of one worker
  const double reference = 8 * (4 * 100 * 4e3 + 128 * 2e3) + 4 * 100 * 2e3;
  constexpr const char* kLayer = "dense(inputs=2000, outputs=2000, samples=100)";
  const double program = gradient_bytes(point_of("send", "lenet5")) -
                         2 * 4.0 * static_cast<double>(point_of("ring", "lenet5").goal.elements);
  EXPECT_EQ(gradient_bytes(point_of("ring", kLayer)),
            program + 4 * (gradient + gradient + share + reference));
  EXPECT_EQ(gradient_bytes(point_of("all-gather", kLayer)),
            program + 4 * (4 * share + gradient + share + reference));
}

TEST(DensePoints, WhatDoesNotFitIsRefusedAtItsPlace) {
  EXPECT_THAT(refusal("broadcast", kAlexnet),
              StartsWith("x.yaml:5:12: broadcast is neither an all-reduce"));
  EXPECT_THAT(
      refusal("ring", "dense(inputs=1000000, outputs=1000000, samples=1)"),
      StartsWith("x.yaml:6:11: dense(inputs=1000000, outputs=1000000, samples=1) on 4 ranks: "
                 "1000000000000 elements"));
  EXPECT_THAT(refusal("ring", "dense(inputs=200000, outputs=200000, samples=1)"),
              HasSubstr("more than this machine can give"));
}

TEST(DensePoints, NeedOpenBlasWhereTheyAreMeasured) {
  const experiment::Experiment experiment = experiment_of("ring", kAlexnet);
  const auto refusal = [&](const PreparedPoints& points) -> std::string {
    try {
      require_libraries(experiment, points, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(
      refusal({.emulated = prepare(experiment, record::Backing::emulated)}),
      "x.yaml:6:11: dense(model=alexnet, samples=64): this gradwire was built without OpenBLAS");
  EXPECT_EQ(refusal({.simulated = prepare(experiment, record::Backing::simulated)}), "none");
}

}  // namespace
}  // namespace gradwire::run
