#include "results/report/prediction/prediction_report.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/record/flags.h"
#include "results/report/prediction/predictions.h"
#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using testing::stored_point;
using testing::stored_run;

/// Six times of 1 ms, predicted to be off by so many percent.
record::StoredPoint predicted_point(const std::string& algorithm, double off_percent,
                                    std::vector<std::string> flags = {}) {
  record::StoredPoint point = stored_point(algorithm, std::vector<double>(6, 1e-3));
  point.row.predicted = Seconds(1e-3 * (1 + off_percent / 100));
  point.row.flags = std::move(flags);
  return point;
}

/// Of 40 pairs that count, the i-th is off by i times 0.12 %, every second to the other side.
record::StoredRun forty() {
  std::vector<record::StoredPoint> points;
  for (int i = 1; i <= 40; ++i)
    points.push_back(predicted_point("ring", (i % 2 == 0 ? -0.12 : 0.12) * i));
  return stored_run(std::move(points));
}

PredictionErrors errors_in(const record::StoredRun& run) {
  return errors_of(predictions_of({&run, 1}));
}

// Of 0.12 times 1 to 40 the middle is 2.46, and the 38th of 40 the 95th percentile.
TEST(PredictionErrors, MedianAndPercentileAreOfTheDistances) {
  const PredictionErrors errors = errors_in(forty());
  EXPECT_EQ(errors.pairs, 40u);
  EXPECT_EQ(errors.counted, 40u);
  EXPECT_EQ(errors.outliers, 0u);
  EXPECT_NEAR(errors.median.value_or(0), 2.46, 1e-9);
  EXPECT_NEAR(errors.p95.value_or(0), 4.56, 1e-9);
  EXPECT_NEAR(errors.largest.value_or(0), -4.8, 1e-9);
  EXPECT_EQ(agreement_sentence(errors),
            "40 of 40 pairs count: half of them are off by at most 2.5 %, 95 % of them by at most "
            "4.6 %, and 0 of them by more than 5 %.");
}

// "At most" is true of what is printed, too.
TEST(PredictionErrors, AreRoundedUp) {
  EXPECT_EQ(
      agreement_sentence({.pairs = 3, .counted = 2, .outliers = 1, .median = 0.94, .p95 = 7.401}),
      "2 of 3 pairs count: half of them are off by at most 1.0 %, 95 % of them by at most "
      "7.5 %, and 1 of them by more than 5 %.");
}

// A flag that comes from the error excludes nothing; one of the machine does, however small the
// error.
TEST(PredictionErrors, OnlyFlagsOfTheMachineLeaveAPairOut) {
  for (const auto flag : {record::kFlagCpuBound, record::kFlagDisturbed, record::kFlagSlowLinks,
                          record::kFlagLinkChanged, record::kFlagLateCompute}) {
    const auto errors = errors_in(stored_run({predicted_point("bml", 0.1, {std::string(flag)})}));
    EXPECT_EQ(errors.counted, 0u) << flag;
    EXPECT_FALSE(errors.median) << flag;
  }
  const record::StoredRun run = stored_run({predicted_point(
      "bml", 60, {std::string(record::kFlagBurst), std::string(record::kFlagWrongData)})});
  EXPECT_THAT(row_flags(run.points.front().row),
              ::testing::Contains(std::string(record::kFlagOffPrediction)));
  EXPECT_EQ(errors_in(run).outliers, 1u);
}

TEST(PredictionErrors, WhatNobodyPredictedAndWhatIsSimulatedIsNoPair) {
  record::StoredPoint simulated = stored_point("bml", {1e-3}, record::Backing::simulated);
  simulated.row.predicted = Seconds(1e-3);
  const record::StoredRun run = stored_run({stored_point("gloo(ring)", {1e-3}), simulated});
  EXPECT_THAT(predictions_of({&run, 1}), IsEmpty());
  EXPECT_TRUE(predictions_json({&run, 1}).is_null());
  EXPECT_THAT(format_predictions({&run, 1}, {}), HasSubstr("No row"));
}

TEST(PredictionErrors, AreOfEveryWiringAlgorithmSizeRateTransportAndSchedule) {
  record::StoredRun run = stored_run({predicted_point("ring", 1), predicted_point("bml", -3)});
  run.context["experiment"]["transport"] = "ucx";
  run.points[1].row.configuration.elements = 2'621'440;
  const std::vector<record::StoredRun> runs{run};
  const auto predictions = predictions_of(runs);
  const auto of = [&](Shared shared) {
    std::vector<std::string> values;
    for (const PredictionGroup& group : grouped(runs, predictions, shared)) {
      values.push_back(group.value);
    }
    return values;
  };
  EXPECT_THAT(of(Shared::wiring), ElementsAre("bcube(3,2)"));
  EXPECT_THAT(of(Shared::algorithm), ElementsAre("bml", "ring"));
  EXPECT_THAT(of(Shared::size), ElementsAre("3.815 MiB", "10 MiB")) << "by their numbers";
  EXPECT_THAT(of(Shared::rate), ElementsAre("8 Gbit/s"));
  EXPECT_THAT(of(Shared::transport), ElementsAre("ucx"));
  EXPECT_THAT(of(Shared::schedule), ElementsAre("none"));
  EXPECT_NEAR(grouped(runs, predictions, Shared::algorithm)[0].errors.median.value_or(0), 3, 1e-9);
}

TEST(PredictionText, HasEveryOutlierWithItsCauseTheFarthestFirst) {
  const record::StoredRun run = stored_run(
      {predicted_point("ring", 6), predicted_point("ps", 4), predicted_point("bml", -7.5),
       predicted_point("double-tree", 9, {std::string(record::kFlagDisturbed)})});
  const Causes causes{{"key of ring", "a switch was late"}, {"key of ps", "nothing"}};
  const std::string text = format_predictions({&run, 1}, causes);
  EXPECT_THAT(text, HasSubstr("  -7.5  off-prediction  key of bml   not yet known"));
  EXPECT_THAT(text, HasSubstr("  +6.0  off-prediction  key of ring  a switch was"));
  EXPECT_LT(text.find("key of bml "), text.find("key of ring"));
  EXPECT_THAT(text, HasSubstr("# key of ps is no outlier, but has a cause: nothing\n"));
  EXPECT_THAT(text, Not(HasSubstr("key of double-tree")));
  EXPECT_THAT(text, HasSubstr("# left out for disturbed: 1\n"));
  EXPECT_THAT(text, HasSubstr("# 3 of 4 pairs count: half of them are off by at most 6.0 %"));
}

TEST(PredictionJson, SaysTheSameToThePage) {
  const record::StoredRun run =
      stored_run({stored_point("gloo(ring)", {1e-3}), predicted_point("bml", -7.5),
                  predicted_point("ring", 1, {std::string(record::kFlagCpuBound)})});
  const auto json = predictions_json({&run, 1});
  EXPECT_EQ(json.at("band_percent"), 5);
  EXPECT_THAT(json.at("sentence").get<std::string>(), HasSubstr("1 of 2 pairs count"));
  ASSERT_THAT(json.at("pairs"), SizeIs(2));
  EXPECT_EQ(json.at("pairs")[0].at("row"), 1) << "row 0 was not predicted";
  EXPECT_EQ(json.at("pairs")[0].at("values").at("algorithm"), "bml");
  EXPECT_THAT(json.at("pairs")[1].at("left_out_for"), ElementsAre("cpu-bound"));
  EXPECT_NEAR(json.at("errors").at("largest_percent").get<double>(), -7.5, 1e-9);
}

TEST(Causes, AreReadByKeyAndRefusedWithTheirPlace) {
  EXPECT_THAT(parse_causes("# why\n\n 0123abcd   its  link was busy \n", "x"),
              ElementsAre(Pair("0123abcd", "its  link was busy")));
  const auto refusal = [](const char* text) -> std::string {
    try {
      static_cast<void>(parse_causes(text, "causes.txt"));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("a b\nlonely\n"), HasSubstr("causes.txt:2:1: "));
  EXPECT_THAT(refusal("a b\na c\n"), HasSubstr("a has a cause already"));
}

}  // namespace
}  // namespace gradwire::report
