#include "harness/run/points_of_part.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::run {
namespace {

using record::SweepPart;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Seven points; the first and the last are the same.
experiment::Experiment seven(const std::string& keys = "backing: [emulated, simulated]") {
  return experiment::load_experiment_text(
      "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\ndilation: 4\nalgorithm: ring\n"
      "wiring: single-switch(3)\n" +
          keys + "\nsweep: {zip: {elements: [900, 901, 902, 903, 904, 905, 900]}}\n",
      "x.yaml");
}

std::vector<std::string> keys_of(const PreparedPoints& points) {
  std::vector<std::string> keys;
  for (const auto* backing : {&points.emulated, &points.hosts, &points.simulated}) {
    for (const PreparedPoint& point : *backing) keys.push_back(point.key);
  }
  return keys;
}

std::vector<std::size_t> indexes_of(const std::vector<PreparedPoint>& points) {
  std::vector<std::size_t> indexes;
  for (const PreparedPoint& point : points) indexes.push_back(point.configuration.point);
  return indexes;
}

// The simulation of a point goes by what the emulation of it found: both are of the same part.
TEST(PointsOfPart, AreDealtInTurnOnAllBackings) {
  const experiment::Experiment experiment = seven();
  PreparedPoints points = prepare_all(experiment);
  const record::PartRecord record = keep_part(experiment, {.number = 2, .of = 3}, points);
  EXPECT_THAT(indexes_of(points.emulated), ElementsAre(1, 4));
  EXPECT_THAT(indexes_of(points.simulated), ElementsAre(1, 4));
  EXPECT_EQ(record.planned, 14u);
}

// Also the point that is there twice, whose second key depends on there being a first.
TEST(PointsOfPart, TogetherAreAllPointsOnce) {
  const experiment::Experiment experiment = seven();
  std::vector<std::string> whole = keys_of(prepare_all(experiment));
  std::ranges::sort(whole);
  for (const std::size_t of : {1, 2, 3, 7, 9}) {
    std::vector<std::string> together;
    std::set<std::string> sweeps;
    for (std::size_t number = 1; number <= of; ++number) {
      PreparedPoints points = prepare_all(experiment);
      sweeps.insert(keep_part(experiment, {.number = number, .of = of}, points).sweep);
      for (const std::string& key : keys_of(points)) together.push_back(key);
      if (number > 7) {
        EXPECT_THAT(keys_of(points), IsEmpty());
      }
    }
    std::ranges::sort(together);
    EXPECT_EQ(together, whole) << of;
    EXPECT_EQ(sweeps.size(), 1u) << "all are parts of one sweep";
  }
}

TEST(PointsOfPart, AnotherSweepHasAnotherHash) {
  std::set<std::string> sweeps;
  for (const char* keys : {"backing: simulated", "backing: emulated",
                           "backing: simulated\nfailures: [{host: 1, at: 1us, until: 2us}]"}) {
    const experiment::Experiment experiment = seven(keys);
    PreparedPoints points = prepare_all(experiment);
    sweeps.insert(keep_part(experiment, {.number = 1, .of = 2}, points).sweep);
  }
  EXPECT_EQ(sweeps.size(), 3u);
}

std::string refusal(const experiment::Experiment& experiment, const SweepPart& part) {
  PreparedPoints points = prepare_all(experiment);
  try {
    static_cast<void>(keep_part(experiment, part, points));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Times of different dilations would stand in one table.
TEST(PointsOfPart, OfAnEmulationHaveOneDilation) {
  experiment::Experiment experiment = seven();
  EXPECT_EQ(refusal(experiment, {.number = 1, .of = 2}), "");
  experiment.dilation.reset();
  EXPECT_THAT(refusal(experiment, {.number = 1, .of = 2}), HasSubstr("--dilation"));
  EXPECT_EQ(refusal(experiment, {.number = 1, .of = 1}), "");
  experiment.backings = {record::Backing::simulated};
  EXPECT_EQ(refusal(experiment, {.number = 1, .of = 2}), "");
}

TEST(PointsOfPart, AreThoseThatTheRunBeganWith) {
  const experiment::Experiment experiment = seven();
  PreparedPoints points = prepare_all(experiment);
  record::StoredRun run{.folder = "x"};
  run.context["part"] = to_json(keep_part(experiment, {.number = 2, .of = 3}, points));
  PreparedPoints again = prepare_all(experiment);
  keep_part_of(run, experiment, again);
  EXPECT_EQ(keys_of(again), keys_of(points));
  run.context["part"]["sweep"] = "0123456789abcdef";
  PreparedPoints others = prepare_all(experiment);
  EXPECT_THROW(keep_part_of(run, experiment, others), InputError);
  PreparedPoints all = prepare_all(experiment);
  keep_part_of({.folder = "x"}, experiment, all);
  EXPECT_EQ(all.size(), 14u) << "a run that is no part has all points";
}

}  // namespace
}  // namespace gradwire::run
