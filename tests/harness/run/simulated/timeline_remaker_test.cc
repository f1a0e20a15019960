#include "harness/run/simulated/timeline_remaker.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "harness/commands/configured_plans.h"
#include "harness/experiment/overrides.h"
#include "harness/run/context.h"
#include "harness/run/progress.h"
#include "harness/run/simulated/simulated_backing.h"
#include "results/record/file_names.h"
#include "results/record/run_folder.h"
#include "results/record/sealed_line.h"
#include "results/report/page/page_data.h"

/// The page of a run that keeps no simulated timelines.
namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::ElementsAre;

class TimelineRemakerTest : public ::testing::Test {
 protected:
  ~TimelineRemakerTest() override { fs::remove_all(folder_); }

  /// Simulates an experiment with these keys into the folder.
  void simulate(const std::string& keys) {
    const experiment::Experiment experiment = experiment::load_experiment_text(
        "gradwire: 1\nname: t\nbacking: simulated\nlink: {rate: 8Gbit, startup: 5us}\n" + keys,
        "x.yaml");
    const std::vector<PreparedPoint> points = prepare(experiment, record::Backing::simulated);
    const experiment::Overrides overrides;
    record::RunFolder folder = record::RunFolder::create(
        {.out = folder_, .name = "t", .experiment = experiment.text},
        run_context({.planned = points.size(), .experiment = experiment, .overrides = overrides}));
    Progress progress(log_, clock_, {.total = points.size(), .parts = 1});
    SimulatedBacking(
        {.experiment = experiment, .points = points, .folder = folder, .progress = progress})
        .measure();
  }

  void forget_timelines() const { fs::remove(folder_ / record::kTimelinesFile); }

  /// What the page is given of the folder.
  [[nodiscard]] json page() const {
    const std::vector<fs::path> folders{folder_};
    TimelineRemaker remaker;
    return report::page_data(
        record::read_runs(folders),
        {.plans = commands::configured_plans,
         .timelines = [&](const record::StoredRun& run,
                          const record::StoredPoint& point) { return remaker.remake(run, point); }},
        {});
  }

  ManualClock clock_;
  std::ostringstream log_;
  const fs::path folder_ =
      fs::temp_directory_path() / ("gradwire_remaker_test_" + std::to_string(::getpid()));
};

// The same input gives the same iteration, to the nanosecond: of all ranks and of one for all, of
// synchronizations and of training jobs, with failures and without.
TEST_F(TimelineRemakerTest, ThePageIsTheSame) {
  const std::string synchronizations =
      "elements: 9000\nsweep:\n  zip:\n    algorithm: [bml, ring, ps]\n"
      "    wiring: [\"bcube(3,2)\", single-switch(4), \"fat-tree(4)\"]\n";
  const std::string jobs =
      "compute: {trace: googlenet-k80}\nalgorithm: ring\nwiring: single-switch(4)\n"
      "cost: {gamma: 0.1}\nsweep: {product: {schedule: [wfbp, mg-wfbp]}}\n";
  const std::string failures = "failures: [{link: 1, at: 2us, until: 9us}]\n";
  for (const std::string& keys : {synchronizations, jobs, failures + synchronizations}) {
    fs::remove_all(folder_);
    simulate(keys);
    const json kept = page();
    ASSERT_GE(kept.at("timelines").size(), 2u);
    forget_timelines();
    EXPECT_EQ(page(), kept) << keys;
  }
}

// A run of another gradwire, whose simulations took another time.
TEST_F(TimelineRemakerTest, WhatTakesAnotherTimeHasNoTimeline) {
  simulate("elements: 9000\nalgorithm: ring\nwiring: single-switch(4)\n");
  forget_timelines();
  std::string line;
  std::getline(std::ifstream(folder_ / record::kSamplesFile), line);
  json sample = json::parse(line);
  sample.erase("crc32");
  sample["gst_ns"] = sample.at("gst_ns").get<double>() + 1;
  std::ofstream(folder_ / record::kSamplesFile) << record::seal(sample) << "\n";
  const json data = page();
  const json& run = data.at("runs").at(0);
  EXPECT_TRUE(run.at("rows").at(0).at("timeline").is_null());
  EXPECT_THAT(run.at("notes"), ElementsAre("No timeline of 1 simulated point: simulated again "
                                           "they take another time."));
  EXPECT_EQ(run.at("problems"), json::array()) << "nothing is damaged";
}

TEST_F(TimelineRemakerTest, AContextThatIsGoneIsNoReasonToStop) {
  simulate("elements: 9000\nalgorithm: ring\nwiring: single-switch(4)\n");
  forget_timelines();
  fs::remove(folder_ / record::kContextFile);
  EXPECT_THAT(page().at("runs").at(0).at("notes"),
              ElementsAre("No timeline of 1 simulated point: their experiment cannot be made ready "
                          "any more."));
}

// 400 ranks that are told apart by a failure send 2 * 399 * 400 messages; 5 ranks send 40.
TEST_F(TimelineRemakerTest, WhatTakesTooLongIsNotSimulatedAgain) {
  simulate(
      "elements: 400\nalgorithm: ring\nfailures: [{link: 0, at: 1000s}]\n"
      "sweep: {product: {wiring: [single-switch(400), single-switch(5)]}}\n");
  forget_timelines();
  const json data = page();
  const json& rows = data.at("runs").at(0).at("rows");
  EXPECT_TRUE(rows.at(0).at("timeline").is_null());
  EXPECT_FALSE(rows.at(1).at("timeline").is_null());
  EXPECT_THAT(data.at("runs").at(0).at("notes"),
              ElementsAre("No timeline of 1 simulated point: simulating them again takes too "
                          "long."));
}

}  // namespace
}  // namespace gradwire::run
