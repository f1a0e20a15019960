// Runs that were made long ago are gone on with.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "harness/experiment/overrides.h"
#include "harness/run/context.h"
#include "harness/run/progress.h"
#include "harness/run/resumption.h"
#include "harness/run/simulated/simulated_backing.h"
#include "results/record/file_names.h"
#include "results/record/run_folder.h"
#include "results/report/metrics/row_json.h"

namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class PublishedRuns : public ::testing::Test {
 protected:
  // Paths in experiments begin where the runs were begun.
  PublishedRuns() { fs::current_path(GRADWIRE_ROOT); }
  ~PublishedRuns() override {
    fs::current_path(before_);
    fs::remove_all(copy_);
  }

  /// A copy of a published run that lacks the samples of every second simulation.
  void copy_and_cut(const char* name) const {
    fs::remove_all(copy_);
    fs::copy(fs::path("results/published") / name, copy_);
    std::ifstream whole(fs::path("results/published") / name / record::kSamplesFile);
    std::ofstream cut(copy_ / record::kSamplesFile, std::ios::trunc);
    std::size_t simulations = 0;
    for (std::string line; std::getline(whole, line);) {
      const bool simulated = line.find("\"backing\":\"simulated\"") != std::string::npos;
      if (!simulated || ++simulations % 2 == 1) cut << line << "\n";
    }
  }

  /// Goes on with the copy, as `gradwire run --resume` does.
  void resume() const {
    record::RunFolder folder = record::RunFolder::resume(copy_);
    const record::StoredRun before = record::read_run(copy_);
    const ResumedExperiment resumed = resume_experiment(before, {});
    PreparedPoints points = prepare_all(resumed.experiment);
    const std::size_t planned = points.size();
    remove_done(before, resumed.experiment, points);
    require_findings(before, points);
    ASSERT_TRUE(points.emulated.empty());
    ASSERT_FALSE(points.simulated.empty()) << "what was cut off is left to be done";
    folder.begin_attempt(resumed.attempt);
    folder.write_context(resumed_context(
        before.context,
        {.planned = planned, .experiment = resumed.experiment, .overrides = resumed.overrides}));
    ManualClock clock;
    std::ostringstream log;
    Progress progress(log, clock, {.total = points.simulated.size(), .parts = 1});
    SimulatedBacking({.experiment = resumed.experiment,
                      .points = points.simulated,
                      .folder = folder,
                      .progress = progress,
                      .findings = link_findings(before.calibration)})
        .measure();
  }

  static std::vector<json> rows_of(const fs::path& folder) {
    std::vector<json> rows;
    for (const record::StoredPoint& point : record::read_run(folder).points) {
      rows.push_back(report::row_json(point.row));
    }
    return rows;
  }

  const fs::path before_ = fs::current_path();
  const fs::path copy_ =
      fs::temp_directory_path() / ("gradwire_published_runs_test_" + std::to_string(::getpid()));
};

// A key that came out as another would be a point that the experiment does not have.
TEST_F(PublishedRuns, HaveNothingLeftToBeDone) {
  const std::vector<std::string> paths{"results/published"};
  for (const fs::path& folder : record::folders_of(paths)) {
    const record::StoredRun run = record::read_run(folder);
    const ResumedExperiment resumed = resume_experiment(run, {});
    PreparedPoints points = prepare_all(resumed.experiment);
    EXPECT_EQ(points.size(), run.points.size()) << folder;
    EXPECT_NO_THROW(remove_done(run, resumed.experiment, points)) << folder;
    EXPECT_EQ(points.size(), 0u) << folder;
  }
}

// Cuts of runs before 26 November 2026 know no bursts: those that are made again are no larger, and taken over
// where they differ.
void take_over_cuts(const std::vector<json>& rows, std::vector<json>& before) {
  ASSERT_EQ(rows.size(), before.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const json& cut = rows[i].at("wiring_cost").at("cut_us");
    json& larger = before[i].at("wiring_cost").at("cut_us");
    EXPECT_LE(cut.get<double>(), larger.get<double>()) << rows[i];
    larger = cut;
  }
}

// Simulations alone, whose links have no bursts, and simulations on links as an emulation beside them found
// its own.
TEST_F(PublishedRuns, GiveTheSameAgainWhenHalfOfTheirSimulationsAreGone) {
  for (const char* name : {"ps-incast", "quickstart", "mg-wfbp"}) {
    std::vector<json> whole = rows_of(fs::path("results/published") / name);
    copy_and_cut(name);
    ASSERT_LT(rows_of(copy_).size(), whole.size()) << name;
    resume();
    const std::vector<json> again = rows_of(copy_);
    if (name != std::string("ps-incast")) take_over_cuts(again, whole);
    EXPECT_EQ(again, whole) << name;
  }
}

}  // namespace
}  // namespace gradwire::run
