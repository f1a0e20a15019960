#include "results/report/compare/comparison_report.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"
#include "results/report/compare/comparison_json.h"
#include "results/report/compare/ratio_gate.h"
#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using testing::stored_point;
using testing::stored_run;
using testing::times;

/// Emulated bml, twice as slow in B; ps in A alone; the commits differ.
struct Runs {
  record::StoredRun a =
      stored_run({stored_point("bml", times(10, 1e-3)), stored_point("ps", {1e-3})});
  record::StoredRun b = stored_run({stored_point("bml", times(10, 2e-3))});
  Runs() { b.context["build"]["commit"] = "4567"; }
};

TEST(ComparisonTable, HasDefinitionsRowsMeanAndDifferences) {
  const Runs runs;
  const std::string table = format_comparison(compare_runs(runs.a, runs.b), true);
  EXPECT_THAT(table, HasSubstr("# A: quickstart, 2026-03-01T12:00:05Z, complete, runs/x\n"));
  EXPECT_THAT(table, HasSubstr("Mann and Whitney"));
  EXPECT_THAT(table, HasSubstr("  10  1004.5    10  2004.5  1.9955  "));
  EXPECT_THAT(table, HasSubstr("100  <0.0001  slower"));
  EXPECT_THAT(table, HasSubstr("# geometric mean of the gst ratios: 1.9955\n"));
  EXPECT_THAT(table, HasSubstr("# only in A: ps on bcube(3,2), lenet5, emulated\n"));
  EXPECT_THAT(table, HasSubstr("# differs: build.commit: 0123 in A, 4567 in B\n"));
  EXPECT_THAT(table, Not(HasSubstr("iter ratios")));
}

// Without --wide it fits a terminal and says once what all rows have in common.
TEST(ComparisonTable, AnswersWithinATerminal) {
  const Runs runs;
  const std::string table = format_comparison(compare_runs(runs.a, runs.b));
  EXPECT_THAT(table,
              HasSubstr("#\n# backing emulated, workload lenet5, sched none, size 4000000 B\n#\n"));
  EXPECT_THAT(table, HasSubstr("gst  1004.5  2004.5  1.9955  "));
  EXPECT_THAT(table, HasSubstr("  slower  "));
  EXPECT_THAT(table, Not(HasSubstr("n(A)  ")));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), text::kTerminalWidth) << line;
  }
}

TEST(ComparisonTable, SaysWhatIsComparedAnyway) {
  Runs runs;
  runs.b.context["experiment"]["link"]["mtu"] = 1500;
  EXPECT_THAT(format_comparison(compare_runs(runs.a, runs.b)),
              HasSubstr("# cannot be compared: experiment.link.mtu: 9000 in A, 1500 in B\n"));
}

TEST(ComparisonTable, ASimulatedPointHasDashes) {
  const record::StoredRun run =
      stored_run({stored_point("bml", {1e-3}, record::Backing::simulated)});
  EXPECT_THAT(format_comparison(compare_runs(run, run), true),
              HasSubstr("1.0000    -     -      -  -  -  -"));
}

// Beside the times of both runs stands how far to believe them.
TEST(ComparisonText, HasBoundPredictionMachineAndKeptOfBothRuns) {
  record::StoredPoint point = stored_point("bml", std::vector<double>(8, 1e-3));
  point.row.predicted = Seconds(1.02e-3);
  point.row.foreign_share = 0.123;
  point.row.iterations.warmup = 2;
  const record::StoredRun run = stored_run({point});
  const std::string text = format_comparison(compare_runs(run, run), true);
  for (const char* value : {"eff% A", "8/10", "90.0", "+2.0", "12.3"}) {
    EXPECT_THAT(text, HasSubstr(value));
  }
}

TEST(ComparisonJson, SaysTheSameToPrograms) {
  const Runs runs;
  const RunComparison comparison = compare_runs(runs.a, runs.b);
  const auto failures = ratio_failures(comparison, 1.05);
  const auto json = to_json(comparison, AppliedGate{1.05, failures});
  EXPECT_EQ(json.at("refused"), false);
  EXPECT_EQ(json.at("a").at("name"), "quickstart");
  EXPECT_THAT(json.at("points"), SizeIs(1));
  const auto& gst = json.at("points").front().at("gst");
  EXPECT_EQ(gst.at("verdict"), "slower");
  EXPECT_EQ(gst.at("u"), 100);
  EXPECT_LE(gst.at("interval").at("low"), gst.at("ratio"));
  EXPECT_TRUE(json.at("points").front().at("iteration").is_null());
  const auto& evidence = json.at("points").front().at("evidence_a");
  EXPECT_NEAR(evidence.at("bound_us").get<double>(), 900, 1e-9);
  EXPECT_EQ(evidence.at("iterations").at("attempted"), gst.at("n_a"));
  EXPECT_TRUE(evidence.at("foreign_share").is_null()) << "nobody looked";
  EXPECT_THAT(json.at("only_a"), SizeIs(1));
  EXPECT_EQ(json.at("differences").front().at("what"), "build.commit");
  EXPECT_THAT(json.at("gate").at("failures"), SizeIs(2));
  EXPECT_TRUE(to_json(comparison, std::nullopt).at("gate").is_null());
}

TEST(ComparisonJunit, HasACasePerPointAndOneForTheContexts) {
  Runs runs;
  const RunComparison comparison = compare_runs(runs.a, runs.b);
  const JunitSuite passed = junit_of_comparison(comparison, {}, false);
  ASSERT_THAT(passed.cases, SizeIs(3));
  EXPECT_EQ(passed.cases[0].result, JunitCase::Result::passed);
  EXPECT_EQ(passed.cases[1].result, JunitCase::Result::passed);
  EXPECT_NEAR(passed.cases[1].time.count(), 10 * 2.0045e-3, 1e-9);
  EXPECT_EQ(passed.cases[2].result, JunitCase::Result::skipped);
  const JunitSuite gated = junit_of_comparison(comparison, ratio_failures(comparison, 1.05), false);
  EXPECT_EQ(gated.cases[1].result, JunitCase::Result::failure);
  EXPECT_EQ(gated.cases[2].result, JunitCase::Result::failure) << "it could not be judged";
}

TEST(ComparisonJunit, WhatRefusesIsAnErrorUnlessAnyway) {
  Runs runs;
  runs.b.context["experiment"]["link"]["mtu"] = 1500;
  const RunComparison comparison = compare_runs(runs.a, runs.b);
  const JunitCase refused = junit_of_comparison(comparison, {}, false).cases.front();
  EXPECT_EQ(refused.result, JunitCase::Result::error);
  EXPECT_EQ(refused.message, "experiment.link.mtu: 9000 in A, 1500 in B");
  EXPECT_EQ(junit_of_comparison(comparison, {}, true).cases.front().result,
            JunitCase::Result::passed);
}

}  // namespace
}  // namespace gradwire::report
