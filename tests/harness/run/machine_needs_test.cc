#include "harness/run/machine_needs.h"

#include <limits>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/workers/preflight.h"

namespace gradwire::run {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr testbed::MachineRoom kMuch{
    .memory_bytes = kNoLimit, .tasks = kNoLimit, .descriptors = kNoLimit};
constexpr const char* kHead = "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\ndilation: 10\n";

/// An experiment with its points made ready.
struct Ready {
  explicit Ready(const std::string& lines)
      : experiment(experiment::load_experiment_text(kHead + lines, "x.yaml")),
        points(prepare(experiment, record::Backing::emulated)) {}

  /// What is said before it runs; empty when it may.
  [[nodiscard]] std::string refusal(const testbed::MachineRoom& room) const {
    try {
      require_room(experiment, points, room);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  [[nodiscard]] std::vector<RankNeeds> needs() const {
    std::vector<const PreparedPoint*> all;
    for (const PreparedPoint& point : points) all.push_back(&point);
    return needs_by_rank(all, execution::TransportKind::tcp);
  }

  experiment::Experiment experiment;
  std::vector<PreparedPoint> points;
};

/// Rings of four, of these many elements.
std::string rings(const char* elements, const char* more = "") {
  return fmt::format(
      "algorithm: ring\nwiring: single-switch(4)\nsweep: {{product: {{elements: [{}]}}}}\n{}",
      elements, more);
}

TEST(MachineNeeds, PointsInTurnsShareOneWorkerAndItsGradients) {
  EXPECT_THAT(Ready(rings("1000, 4000, 2000")).needs(),
              Each(Field(&RankNeeds::bytes, kBytesPerWorker + 4.0 * 4000)));
  // Elements of another type lie elsewhere.
  EXPECT_THAT(Ready("algorithm: ring\nwiring: single-switch(4)\nelements: 1000\n"
                    "sweep: {product: {dtype: [float32, float64]}}\n")
                  .needs(),
              Each(Field(&RankNeeds::bytes, kBytesPerWorker + 12.0 * 1000)));
}

// A ring has one lane and two neighbours; BML on two levels has two lanes, each with two peers on
// either level.
TEST(MachineNeeds, EachPointKeepsItsThreadsAndConnections) {
  const Ready one("wiring: \"bcube(3,2)\"\nelements: 900\nalgorithm: bml\n");
  const Ready two(
      "wiring: \"bcube(3,2)\"\nelements: 900\nsweep: {product: {algorithm: [bml, ring]}}\n");
  const Ready six(
      "wiring: \"bcube(3,2)\"\nsweep:\n  product:\n    algorithm: [bml, ring]\n"
      "    elements: [900, 1800, 2700]\n");
  EXPECT_THAT(one.needs(), Each(Field(&RankNeeds::tasks, kTasksPerRank + 2)));
  EXPECT_THAT(two.needs(), Each(Field(&RankNeeds::tasks, kTasksPerRank + 2)));
  EXPECT_THAT(six.needs(), Each(Field(&RankNeeds::tasks, kTasksPerRank + 4)));
  const double of_bml = one.needs().front().descriptors;
  const double of_ring = two.needs().front().descriptors - of_bml;
  EXPECT_EQ(of_ring, 2);
  EXPECT_EQ(six.needs().front().descriptors, of_bml + of_ring + 2 * (8 + of_ring));
}

TEST(MachineNeeds, ATrainingJobKeepsItsParameters) {
  const Ready jobs(
      "wiring: single-switch(2)\nalgorithm: ring\nworkload: lenet5\nbatch: 32\n"
      "compute: {device: v100}\nsweep: {product: {schedule: [wfbp, none]}}\n");
  const auto elements = static_cast<double>(jobs.points.front().configuration.elements);
  EXPECT_THAT(jobs.needs(), Each(Field(&RankNeeds::bytes, kBytesPerWorker + 3 * 4 * elements)));
}

TEST(MachineNeeds, WhatIsMissingIsSaidBeforeAnythingStarts) {
  const Ready all(rings("1000, 2000, 3000"));
  EXPECT_EQ(all.refusal(kMuch), "");
  testbed::MachineRoom room = kMuch;
  room.memory_bytes = 100.0 * 1024 * 1024;
  EXPECT_THAT(
      all.refusal(room),
      AllOf(StartsWith("x.yaml:7:"), HasSubstr("3 points that are measured in turns"),
            HasSubstr("128 MiB of memory, 48"), HasSubstr("more than this machine can give"),
            HasSubstr("interleave: false"), Not(HasSubstr("open files"))));
  room = kMuch;
  room.tasks = 10;  // of 16, and 8 of these may be taken
  EXPECT_THAT(all.refusal(room), HasSubstr("16 processes and threads, 8 more than this machine"));
  room.descriptors = 29;  // 24, and 2 for each point
  EXPECT_THAT(all.refusal(room),
              AllOf(HasSubstr("8 more than this machine can start"),
                    HasSubstr("30 open files in a process, 1 more than it may have (ulimit -n)")));
}

TEST(MachineNeeds, OnePointAfterTheOtherNeedsLess) {
  testbed::MachineRoom room = kMuch;
  room.descriptors = 29;
  EXPECT_EQ(Ready(rings("1000, 2000, 3000", "interleave: false\n")).refusal(room), "");
  room.descriptors = 25;
  EXPECT_THAT(Ready(rings("1000, 2000, 3000", "interleave: false\n")).refusal(room),
              HasSubstr("ring on single-switch(4) needs 26 open files"));
}

TEST(MachineNeeds, HostsThatAreOneMachineShareItsRoom) {
  const Ready all(rings("1000, 2000, 3000"));
  std::vector<HostRoom> hosts;
  for (const char* machine : {"a", "b", "b", "c"}) {
    hosts.push_back({.machine = machine, .room = kMuch});
    hosts.back().room.tasks = 8;  // of which 6.4 may be taken, and a rank takes 4
  }
  try {
    require_room_on_hosts(all.experiment, all.points, hosts);
    FAIL();
  } catch (const workers::Preflight& refused) {
    EXPECT_THAT(refused.what(), AllOf(HasSubstr("on the machine of rank 1, 2: "),
                                      HasSubstr("8 processes and threads, 2 more")));
  }
  hosts[1].machine = "d";
  require_room_on_hosts(all.experiment, all.points, hosts);
}

}  // namespace
}  // namespace gradwire::run
