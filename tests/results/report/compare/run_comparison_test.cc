#include "results/report/compare/run_comparison.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/flags.h"
#include "results/report/compare/ratio_gate.h"
#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::stored_point;
using testing::stored_run;
using testing::times;

std::vector<std::string> messages(const RunComparison& comparison, Severity severity) {
  std::vector<std::string> found;
  for (const Difference& difference : comparison.differences) {
    if (difference.severity == severity) found.push_back(difference.message());
  }
  return found;
}

// 10 times of B, all above those of A: U = 100, p = 2 / C(20, 10) = 2 / 184756.
TEST(RunComparison, FindsWhatIsSlower) {
  const record::StoredRun a = stored_run({stored_point("bml", times(10, 1e-3))});
  const record::StoredRun b = stored_run({stored_point("bml", times(10, 2e-3))});
  const RunComparison found = compare_runs(a, b);
  ASSERT_THAT(found.points, SizeIs(1));
  const Contrast& gst = found.points.front().gst;
  EXPECT_EQ(gst.verdict, Verdict::slower);
  EXPECT_EQ(gst.test->u, 100);
  EXPECT_NEAR(gst.test->p, 2.0 / 184756, 1e-12);
  EXPECT_NEAR(gst.ratio.ratio, 2, 0.01);
  EXPECT_NEAR(gst.median_a, 1.0045e-3, 1e-12);
  EXPECT_THAT(found.differences, IsEmpty());
  EXPECT_EQ(compare_runs(b, a).points.front().gst.verdict, Verdict::faster);
  EXPECT_EQ(compare_runs(a, a).points.front().gst.verdict, Verdict::same);
}

// Three times each: the most extreme order has p = 2/20, so no test could find anything.
TEST(RunComparison, TooFewTimesAreNotTested) {
  const record::StoredRun a = stored_run({stored_point("bml", times(3, 1e-3))});
  const record::StoredRun b = stored_run({stored_point("bml", times(3, 2e-3))});
  const RunComparison found = compare_runs(a, b);
  EXPECT_EQ(found.points.front().gst.verdict, Verdict::untested);
  EXPECT_FALSE(found.points.front().gst.test);
}

TEST(RunComparison, ASimulationHasARatioOnly) {
  const record::StoredRun a = stored_run({stored_point("bml", {2e-3}, record::Backing::simulated)});
  const record::StoredRun b = stored_run({stored_point("bml", {1e-3}, record::Backing::simulated)});
  const Contrast gst = compare_runs(a, b).points.front().gst;
  EXPECT_DOUBLE_EQ(gst.ratio.ratio, 0.5);
  EXPECT_FALSE(gst.test);
  EXPECT_FALSE(gst.ratio.interval);
}

// By key first, whatever the order; never across backings.
TEST(RunComparison, MatchesByKeyAndBacking) {
  const record::StoredRun a =
      stored_run({stored_point("ring", times(8, 1e-3)), stored_point("bml", times(8, 2e-3)),
                  stored_point("bml", {3e-3}, record::Backing::simulated)});
  const record::StoredRun b =
      stored_run({stored_point("bml", {3e-3}, record::Backing::simulated),
                  stored_point("bml", times(8, 2e-3)), stored_point("ps", times(8, 1e-3))});
  const RunComparison found = compare_runs(a, b);
  ASSERT_THAT(found.points, SizeIs(2));
  EXPECT_EQ(found.points[0].configuration.backing, record::Backing::emulated);
  EXPECT_DOUBLE_EQ(found.points[0].gst.ratio.ratio, 1);
  EXPECT_EQ(found.points[1].configuration.backing, record::Backing::simulated);
  ASSERT_THAT(found.only_a, SizeIs(1));
  EXPECT_EQ(found.only_a.front().algorithm, "ring");
  ASSERT_THAT(found.only_b, SizeIs(1));
  EXPECT_EQ(found.only_b.front().algorithm, "ps");
}

TEST(RunComparison, WhatIsLeftIsMatchedByConfiguration) {
  const record::StoredRun a = stored_run({stored_point("bml", times(8, 1e-3))});
  record::StoredRun b = a;
  b.points.front().record.key = "another";
  EXPECT_THAT(messages(compare_runs(a, b), Severity::warn),
              ElementsAre(HasSubstr("what keys hold and contexts do not name")));
  b.points.front().row.dilation = 200;
  const RunComparison dilated = compare_runs(a, b);
  EXPECT_TRUE(dilated.refused());
  EXPECT_THAT(messages(dilated, Severity::refuse),
              ElementsAre("dilation: 100 in A, 200 in B (bml on bcube(3,2), lenet5, emulated)"));
  EXPECT_THAT(messages(dilated, Severity::warn), IsEmpty());
  b.points.front().row.configuration.elements = 5;
  EXPECT_THAT(compare_runs(a, b).points, IsEmpty());
}

// The same point twice in an experiment: the first with the first.
TEST(RunComparison, PointsThatAreTheSameKeepTheirOrder) {
  const record::StoredRun a =
      stored_run({stored_point("bml", times(8, 1e-3)), stored_point("bml", times(8, 4e-3))});
  const RunComparison found = compare_runs(a, a);
  ASSERT_THAT(found.points, SizeIs(2));
  EXPECT_DOUBLE_EQ(found.points[0].gst.ratio.ratio, 1);
  EXPECT_DOUBLE_EQ(found.points[1].gst.ratio.ratio, 1);
}

TEST(RunComparison, NothingInCommonIsRefused) {
  const record::StoredRun a = stored_run({stored_point("bml", times(8, 1e-3))});
  const record::StoredRun b = stored_run({stored_point("ring", times(8, 1e-3))});
  EXPECT_THAT(messages(compare_runs(a, b), Severity::refuse),
              ElementsAre("points, none in common: 1 in A, 1 in B"));
}

TEST(RunComparison, WrongDataIsRefusedAlsoWhenBothAreAsWrong) {
  record::StoredRun a = stored_run({stored_point("bml", times(8, 1e-3))});
  EXPECT_FALSE(compare_runs(a, a).wrong_data());
  a.points.front().row.wrong = 3;
  const RunComparison found = compare_runs(a, a);
  EXPECT_TRUE(found.wrong_data());
  EXPECT_TRUE(found.refused());
  EXPECT_THAT(found.points.front().flags_b, Contains(record::kFlagWrongData));
  const record::StoredRun b = stored_run({stored_point("ring", times(8, 1e-3))});
  EXPECT_TRUE(compare_runs(b, a).wrong_data()) << "in a point that is not compared";
}

TEST(RunComparison, WarnsOfIterationsBoundsAndRunsThatEnded) {
  const record::StoredRun a = stored_run({stored_point("bml", times(8, 1e-3))});
  record::StoredRun b = stored_run({stored_point("bml", times(9, 1e-3))});
  b.points.front().record.bound = Seconds(1e-3);
  b.status = record::RunStatus::incomplete;
  b.planned = 2;
  const RunComparison found = compare_runs(a, b);
  EXPECT_FALSE(found.refused());
  EXPECT_THAT(
      messages(found, Severity::warn),
      ElementsAre("iterations: 8 in A, 9 in B (bml on bcube(3,2), lenet5, emulated)",
                  "bound: 900.000 us in A, 1000.000 us in B (bml on bcube(3,2), lenet5, emulated)",
                  "status: complete, 1 of 1 points in A, incomplete, 1 of 2 points in B"));
}

TEST(RunComparison, OfATrainingJobIterationsAndProfilesAreCompared) {
  record::StoredRun a = stored_run({stored_point("bml", times(8, 1e-3))});
  a.points.front().row.training = record::TrainingRow{.plan = {.profile = "published"}};
  a.points.front().iterations = times(8, 10e-3);
  record::StoredRun b = a;
  b.points.front().iterations = times(8, 20e-3);
  b.points.front().row.training->plan.profile = "measured";
  const RunComparison found = compare_runs(a, b);
  EXPECT_EQ(found.points.front().iteration->verdict, Verdict::slower);
  EXPECT_NEAR(found.mean_iteration_ratio().value(), 2, 0.01);
  EXPECT_THAT(messages(found, Severity::refuse),
              ElementsAre(HasSubstr("profile: published in A, measured in B")));
}

// Ratios 2 and 1/2: their geometric mean is 1.
TEST(RunComparison, TheMeanOfRatiosIsGeometric) {
  const record::StoredRun a =
      stored_run({stored_point("bml", {1e-3}), stored_point("ring", {2e-3})});
  const record::StoredRun b =
      stored_run({stored_point("bml", {2e-3}), stored_point("ring", {1e-3})});
  EXPECT_DOUBLE_EQ(compare_runs(a, b).mean_gst_ratio().value(), 1);
  EXPECT_FALSE(compare_runs(a, b).mean_iteration_ratio());
}

TEST(RatioGate, NamesWhatIsAboveItAndWhatCannotBeJudged) {
  const record::StoredRun a = stored_run(
      {stored_point("bml", {1e-3}), stored_point("ring", {1e-3}), stored_point("ps", {1e-3})});
  const record::StoredRun b =
      stored_run({stored_point("bml", {1.0625e-3}), stored_point("ring", {1e-3})});
  const auto failures = ratio_failures(compare_runs(a, b), 1.05);
  ASSERT_THAT(failures, SizeIs(2));
  EXPECT_EQ(
      failures[0].message(),
      "bml on bcube(3,2), lenet5, emulated: GST is 1.0625 times that of A, at most 1.05 asked "
      "for");
  EXPECT_THAT(failures[1].message(), HasSubstr("ps on bcube(3,2), lenet5, emulated: not in B"));
  EXPECT_THAT(ratio_failures(compare_runs(a, b), 1.07), SizeIs(1));
}

}  // namespace
}  // namespace gradwire::report
