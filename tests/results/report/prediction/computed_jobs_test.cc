#include "results/report/prediction/computed_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/record/computed_profile.h"
#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::stored_point;
using testing::stored_run;

constexpr const char* kTrace = "measured: a stopwatch";

/// A training job whose passes and whose iteration take so long; milliseconds.
record::StoredPoint job(record::Backing backing, const std::string& profile, double compute,
                        double iteration) {
  record::StoredPoint point = stored_point("ring", {1e-3}, backing);
  point.row.training.emplace().plan.profile = profile;
  point.row.training->compute = Seconds(compute * 1e-3);
  point.row.training->iteration = record::summarize(std::vector{iteration * 1e-3});
  return point;
}

record::StoredPoint computed(double compute, double iteration) {
  return job(record::Backing::emulated, record::computed_profile("two layers", kTrace), compute,
             iteration);
}

// 40 of 50 is 20 % less; 90 and 110 of 100 are 10 % less and more.
TEST(ComputedJobs, StandBesideWhatOtherRunsPredictedOfThem) {
  const std::vector<record::StoredRun> runs{
      stored_run({computed(50, 100)}),
      stored_run({job(record::Backing::simulated, kTrace, 40, 90),
                  job(record::Backing::emulated, kTrace, 41, 110)})};
  EXPECT_THAT(format_computed_jobs(runs),
              HasSubstr("ring  none   50000.0  40000.0  -20.0  100000.0    90000.0  -10.0  "
                        "110000.0  +10.0"));
}

TEST(ComputedJobs, AreNotPredictedFromOtherTimesOrOverOtherLinks) {
  std::vector<record::StoredRun> runs{
      stored_run(
          {computed(50, 100), job(record::Backing::simulated, "measured: an hourglass", 40, 90)}),
      stored_run({job(record::Backing::emulated, kTrace, 41, 110)})};
  runs[1].context["experiment"]["link"]["mtu"] = 1500;
  const std::string text = format_computed_jobs(runs);
  EXPECT_THAT(text, HasSubstr("100000.0"));
  EXPECT_THAT(text, Not(HasSubstr("90000.0")));
  EXPECT_THAT(text, Not(HasSubstr("110000.0")));
}

TEST(ComputedJobs, WithoutAProgramThatComputedThereIsNoTable) {
  const record::StoredRun run =
      stored_run({stored_point("ring", {1e-3}), job(record::Backing::simulated, kTrace, 40, 90),
                  job(record::Backing::emulated, kTrace, 41, 110)});
  EXPECT_EQ(format_computed_jobs({&run, 1}), "");
}

}  // namespace
}  // namespace gradwire::report
