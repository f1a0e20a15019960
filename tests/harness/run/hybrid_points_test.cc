#include <string>
#include <utility>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/error.h"
#include "harness/run/prepare.h"

/// Points whose workload is hybrid parallelism, made ready.
namespace gradwire::run {
namespace {

using ::testing::StartsWith;

experiment::Experiment experiment_of(const std::string& algorithm, const std::string& wiring,
                                     const std::string& workload) {
  return experiment::load_experiment_text(
      fmt::format("gradwire: 1\nname: t\nlink: {{rate: 1Gbit}}\nwiring: \"{}\"\n"
                  "algorithm: \"{}\"\nworkload: \"{}\"\n",
                  wiring, algorithm, workload),
      "x.yaml");
}

PreparedPoint point_of(const std::string& algorithm, const std::string& wiring,
                       const std::string& workload) {
  return prepare(experiment_of(algorithm, wiring, workload), record::Backing::emulated).at(0);
}

/// Bytes that all ports of a point's Plans send.
double sent(const PreparedPoint& point) {
  std::uint64_t elements = 0;
  for (const Plan& plan : point.plans) {
    for (const PortCount& port : count_ports(plan)) elements += port.sent;
  }
  return static_cast<double>(elements * size_of(point.configuration.type));
}

std::string alexnet(std::size_t workers, const std::string& more = "") {
  return fmt::format("hybrid(model=alexnet, samples={}{})", 256 / workers, more);
}

// Late-multiply (2017), Table 2: 54, 89 and 161 MiB on 2, 4 and 8 workers beside a host that serves
// parameters and has the stack; data parallelism through the same server moves 930, 1861 and 3722.
TEST(HybridPoints, PortsCarryTable2) {
  constexpr double kMiB = 1048576;
  using Sizes = std::pair<double, double>;
  for (const auto& [workers, sizes] :
       {std::pair{2u, Sizes{54, 930}}, {4u, Sizes{89, 1861}}, {8u, Sizes{161, 3722}}}) {
    const std::string wiring = fmt::format("single-switch({})", workers + 1);
    const PreparedPoint hybrid = point_of("ps(servers=1, dedicated)", wiring, alexnet(workers));
    EXPECT_NEAR(sent(hybrid) / kMiB, sizes.first, 1);
    EXPECT_EQ(busiest_port_bytes(hybrid), sent(hybrid) / 2) << "the server's";
    const PreparedPoint data = point_of("ps(servers=1, dedicated)", wiring, "alexnet");
    EXPECT_NEAR(sent(data) / kMiB, sizes.second, 1);
  }
}

TEST(HybridPoints, SayWhatTheyAre) {
  const PreparedPoint point = point_of("ring", "single-switch(4)", alexnet(4));
  EXPECT_EQ(point.configuration.collective, "hybrid");
  EXPECT_EQ(point.configuration.elements, 60'965'224u - 58'631'144) << "gradients";
  EXPECT_EQ(point.goal.elements, point.configuration.elements + 2u * 256 * 9216);
  ASSERT_TRUE(point.bus_factor);
  EXPECT_NE(point_of("ring", "single-switch(4)", alexnet(4, ", host=1")).key, point.key);
  EXPECT_EQ(point_of("ring", "single-switch(4)", "hybrid(samples=64, model=alexnet)").key,
            point.key);
}

TEST(HybridPoints, WhatDoesNotFitIsRefusedAtItsPlace) {
  const auto refusal = [](const std::string& algorithm, const std::string& workload) {
    for (const record::Backing backing : {record::Backing::simulated, record::Backing::emulated}) {
      try {
        static_cast<void>(prepare(experiment_of(algorithm, "single-switch(4)", workload), backing));
      } catch (const InputError& error) {
        return std::string(error.what());
      }
    }
    return std::string("none");
  };
  EXPECT_THAT(refusal("broadcast", alexnet(4)), StartsWith("x.yaml:5:12: broadcast sums no"));
  EXPECT_THAT(refusal("gloo(ring)", alexnet(4)),
              StartsWith("x.yaml:5:12: gloo(ring) is a library"));
  EXPECT_THAT(
      refusal("ring", "hybrid(model=vgg19, samples=1000000)"),
      StartsWith("x.yaml:6:11: hybrid(model=vgg19, samples=1000000) on 4 ranks: 200724024384"
                 " elements"))
      << "of 4 x 25088 x 1000000 inputs, as many errors, gradients";
  EXPECT_THAT(refusal("ring", alexnet(4, ", host=4")), StartsWith("x.yaml:6:11: hybrid: host=4"));
}

}  // namespace
}  // namespace gradwire::run
