#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "reproduce/formulas.h"
#include "reproduce/read_runs.h"
#include "reproduce/table.h"
#include "tests/reproduce/made_runs.h"

/// Every claim on runs that are right, and on runs of which one row is not.
namespace gradwire::reproduce {
namespace {

namespace fs = std::filesystem;
using testing::job_of;
using testing::row_of;
using testing::run_of;

/// Those whose simulation takes milliseconds are simulated.
constexpr const char* kQuick[] = {"quickstart",
                                  "figure5",
                                  "collectives",
                                  "mg-wfbp",
                                  "bml-figure6",
                                  "bml-figure7",
                                  "ps-incast",
                                  "ring-scaling",
                                  "ring-startup",
                                  "bml-per-layer",
                                  "all-reduce-sizes",
                                  "all-reduce-lines",
                                  "fat-tree-nics",
                                  "dense-layer",
                                  "single-reducer",
                                  "late-multiply-10gbe",
                                  "late-multiply-56gbib",
                                  "late-multiply-volume",
                                  "ring-language-model"};

Runs simulated() {
  const fs::path folder =
      fs::temp_directory_path() / ("gradwire-whole-" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (const std::string name : kQuick) {
    const std::string run = std::string(GRADWIRE_PROGRAM) + " run " GRADWIRE_ROOT "/experiments/" +
                            name + ".yaml --backing simulated --out " + (folder / name).string() +
                            " > /dev/null 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0) << name;
  }
  const FoundRuns found = read_runs(folder);
  EXPECT_TRUE(found.problems.empty());
  fs::remove_all(folder);
  return found.runs;
}

void add_schedules(Run& run, const std::string& wiring, const std::string& workload,
                   const Iterations& all) {
  for (const auto& [schedule, time] :
       {std::pair{"wfbp", all.wfbp}, std::pair{"synceasgd", all.synceasgd},
        std::pair{"mg-wfbp", all.mg_wfbp}, std::pair{"optimum", all.optimum}}) {
    run.rows.push_back(job_of(record::Backing::simulated, wiring, schedule, time));
    run.rows.back().configuration.workload = workload;
    run.rows.back().training->bucket_gst.resize(all.messages);
  }
}

void add_figures_10_and_11(Runs& runs) {
  Run ten = run_of("mg-wfbp-figure10"), eleven = run_of("mg-wfbp-figure11");
  const schedule::BackwardPass trace = googlenet_trace();
  for (std::size_t n = 4; n <= 2048; n *= 2) {
    const std::string wiring = "single-switch(" + std::to_string(n) + ")";
    add_schedules(ten, wiring, "", iterations(trace, schedule::ring(n, kPlotted)));
    add_schedules(eleven, wiring, "",
                  iterations(trace, schedule::double_binary_trees(n, kPlotted)));
  }
  runs.add(ten);
  runs.add(eleven);
}

void add_figure_9(Runs& runs) {
  for (const char* name : {"mg-wfbp-figure9-10gbe", "mg-wfbp-figure9-56gbib"}) {
    Run nine = run_of(name);
    add_schedules(nine, "single-switch(16)", "resnet152", {1, 1.1, 1, 1, 4});
    for (const char* model : {"densenet161", "densenet201", "inceptionv4"}) {
      add_schedules(nine, "single-switch(16)", model, {1.3, 1.1, 1, 1, 4});
    }
    runs.add(nine);
  }
}

/// A simulated row: what ran, and its GST in T_F.
struct BcubeRow {
  const char* algorithm;
  const char* wiring;
  std::size_t n;
  std::size_t k;
  double t_f;
};

void add(Run& run, const BcubeRow& row) {
  run.rows.push_back(row_of(record::Backing::simulated, row.algorithm, row.wiring, row.n, row.t_f));
  run.rows.back().configuration.ports_per_host = row.k;
}

void add_bcubes(Runs& runs) {
  Run five = run_of("bml-figure5"), scaling = run_of("bcube-scaling");
  for (const char* algorithm : {"ps", "hierarchical"}) {
    add(five, {algorithm, "fat-tree(4)", 16, 1, two_t_f(16)});
    add(five, {algorithm, "fat-tree(16)", 1024, 1, two_t_f(1024)});
  }
  add(five, {"ps", "bcube(4,2)", 16, 2, 1.5});
  add(five, {"bml", "bcube(4,2)", 16, 2, two_t_f(16) / 2});
  add(five, {"ps", "bcube(32,2)", 1024, 2, 1.9375});
  add(five, {"bml", "bcube(32,2)", 1024, 2, two_t_f(1024) / 2});
  add(scaling, {"bml", "bcube(4,2)", 16, 2, two_t_f(16) / 2});
  add(scaling, {"bml", "bcube(256,2)", 65536, 2, two_t_f(65536) / 2});
  add(scaling, {"bml", "bcube(40,3)", 64000, 3, two_t_f(64000) / 3});
  add(scaling, {"bml", "bcube(16,4)", 65536, 4, two_t_f(65536) / 4});
  runs.add(five);
  runs.add(scaling);
}

bool is_only_simulated(std::string_view experiment) {
  const auto names = {"all-reduce-sizes", "fat-tree-nics", "ps-incast", "ring-language-model"};
  return std::ranges::find(names, experiment) != names.end();
}

/// Everything there can be: what is measured is what was simulated, and what takes long to simulate
/// is computed.
Runs right_runs() {
  const Runs runs = simulated();
  Runs all;
  for (const auto& [name, run] : runs.all()) {
    Run both = run;
    if (is_only_simulated(name)) {
      all.add(std::move(both));
      continue;
    }
    for (record::Row row : run.rows) {
      row.configuration.backing = record::Backing::emulated;
      row.wrong = 0;
      row.flags.clear();
      both.rows.push_back(std::move(row));
    }
    all.add(std::move(both));
  }
  add_figures_10_and_11(all);
  add_figure_9(all);
  add_bcubes(all);
  return all;
}

/// A row with other times, other messages and, where that is known, wrong sums.
record::Row distorted(record::Row row, double factor) {
  row.gst.median *= factor;
  if (row.bound) row.bound = *row.bound / factor;
  row.configuration.ranks *= 2;
  if (row.wrong) row.wrong = 1;
  if (row.training) {
    row.training->iteration.median *= factor;
    row.training->bucket_gst.resize(5 * row.training->bucket_gst.size());
  }
  return row;
}

/// All runs but one.
Runs without(const Runs& runs, std::string_view experiment) {
  Runs others;
  for (const auto& [name, run] : runs.all()) {
    if (name != experiment) others.add(run);
  }
  return others;
}

auto tie(const Finding& finding) {
  return std::tie(finding.simulated, finding.measured, finding.verdict.outcome,
                  finding.verdict.text);
}

/// The experiments that the claim looks at: without any of them it says something else.
std::vector<std::string> read_by(const Claim& claim, const Runs& runs) {
  const Finding whole = judge(claim, runs);
  std::vector<std::string> names;
  for (const auto& [name, run] : runs.all()) {
    const Finding less = judge(claim, without(runs, name));
    if (tie(less) != tie(whole)) {
      names.push_back(name);
    }
  }
  return names;
}

/// Whether the claim contradicts as soon as one row of that backing is wrong.
bool notices(const Claim& claim, const Runs& right, record::Backing backing) {
  Runs runs = right;
  for (const std::string& name : read_by(claim, right)) {
    const Run& run = right.all().at(name);
    for (std::size_t i = 0; i < run.rows.size(); ++i) {
      if (run.rows[i].configuration.backing != backing) continue;
      for (const double factor : {3.0, 1.0 / 3}) {
        Run other = run;
        other.rows[i] = distorted(other.rows[i], factor);
        runs.add(std::move(other));
        if (judge(claim, runs).verdict.outcome == Outcome::contradicted) return true;
      }
    }
    runs.add(run);
  }
  return false;
}

TEST(Whole, RightRunsContradictNothingAndLeaveNothingOut) {
  for (const Judged& judged : judge_all(right_runs())) {
    const Verdict& verdict = judged.finding.verdict;
    EXPECT_NE(verdict.outcome, Outcome::contradicted) << judged.claim->number << verdict.text;
    EXPECT_NE(verdict.outcome, Outcome::not_run) << judged.claim->number << verdict.text;
  }
}

// Two have no number to be off: 8 is content that a simulation of 1024 servers ended, 43 that a
// copy is less than a hundredth of an iteration.
TEST(Whole, EveryClaimNoticesARowThatIsWrong) {
  const Runs right = right_runs();
  for (const Judged& one : judge_all(right)) {
    const std::size_t number = one.claim->number;
    if (number != 8 && number != 43 && one.finding.simulated != "-") {
      EXPECT_TRUE(notices(*one.claim, right, record::Backing::simulated)) << number;
    }
    if (one.finding.measured != "-") {
      EXPECT_TRUE(notices(*one.claim, right, record::Backing::emulated)) << number;
    }
  }
}

}  // namespace
}  // namespace gradwire::reproduce
