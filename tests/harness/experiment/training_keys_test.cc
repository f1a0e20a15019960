#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/experiment/experiment.h"
#include "tests/harness/experiment/refusal.h"

/// The keys of a training job: compute, batch, schedule, cost, compare.
namespace gradwire::experiment {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using testing::replaced;
using ::testing::StartsWith;

const std::string kJob =
    "gradwire: 1\n"
    "name: job\n"
    "link: {rate: 10Gbit, startup: 45.25us}\n"
    "workload: lenet5\n"
    "compute: {device: k40c, devices: 2, efficiency: 0.25}\n"
    "algorithm: ring\n"
    "wiring: single-switch(4)\n"
    "sweep:\n"
    "  product:\n"
    "    batch: [128, 256]\n"
    "    schedule: [wfbp, \"fixed(cap=1MiB, first=64KiB)\"]\n";

TEST(TrainingKeys, ExpandBatchAndSchedule) {
  const Experiment experiment = load_experiment_text(kJob, "x.yaml");
  ASSERT_EQ(experiment.points.size(), 4u);
  EXPECT_EQ(experiment.points[1].task.batch, 128u);
  EXPECT_EQ(to_string(experiment.points[1].task.schedule), "fixed(cap=1MiB, first=64KiB)");
  EXPECT_EQ(experiment.points[2].task.batch, 256u);
  EXPECT_EQ(experiment.compute->devices, 2u);
  EXPECT_EQ(experiment.compute->efficiency, 0.25);
  EXPECT_DOUBLE_EQ(experiment.startup.count(), 45.25e-6);
}

TEST(TrainingKeys, WithoutAScheduleItIsWfbp) {
  std::string text = kJob;
  text.resize(text.find("    schedule:"));
  EXPECT_EQ(to_string(load_experiment_text(text, "x.yaml").points[0].task.schedule), "wfbp");
}

// A trace may stand for itself: no workload, no batch.
TEST(TrainingKeys, ATraceNeedsNoWorkload) {
  const Experiment experiment = load_experiment_text(
      "gradwire: 1\nname: job\nlink: {rate: 1Gbit}\ncompute: {trace: googlenet-k80}\n"
      "algorithm: ring\nwiring: single-switch(2)\n",
      "x.yaml");
  EXPECT_EQ(experiment.points[0].task.workload.name(), "");
  EXPECT_EQ(experiment.points[0].task.workload.elements(), 0u);
}

TEST(TrainingKeys, RefusalsNameTheirPlace) {
  EXPECT_THAT(refusal(replaced(kJob, "device: k40c, devices: 2", "load: cpu")),
              AllOf(StartsWith("x.yaml:5:"), HasSubstr("either a device or a trace")));
  EXPECT_THAT(refusal(replaced(kJob, "devices: 2", "trace: a.csv")), StartsWith("x.yaml:5:"));
  EXPECT_THAT(refusal(replaced(kJob, "0.25", "1.5")), StartsWith("x.yaml:5:"));
  EXPECT_THAT(refusal(replaced(kJob, "[wfbp", "[wfpb")),
              AllOf(StartsWith("x.yaml:11:16: "), HasSubstr("wfbp")));
  EXPECT_THAT(refusal(replaced(kJob, "64KiB", "0")), StartsWith("x.yaml:11:"));
  EXPECT_THAT(refusal(replaced(kJob, "workload: lenet5", "elements: 100")),
              AllOf(StartsWith("x.yaml:4:"), HasSubstr("workload")));
  EXPECT_THAT(refusal(replaced(kJob, "    batch: [128, 256]\n", "")), HasSubstr("batch"));
  EXPECT_THAT(
      refusal(replaced(kJob, "compute: {device: k40c, devices: 2, efficiency: 0.25}\n", "")),
      HasSubstr("needs compute"));
  EXPECT_THAT(refusal(kJob + "cost: {row: rings}\n"),
              AllOf(StartsWith("x.yaml:12:"), HasSubstr("ring-as-plotted")));
  EXPECT_THAT(refusal(kJob + "compare: {against: [ring]}\n"), StartsWith("x.yaml:12:"));
  EXPECT_THAT(refusal(replaced(kJob, "efficiency: 0.25", "trace: t.csv")),
              HasSubstr("either a device or a trace"));
}

TEST(TrainingKeys, AComparisonIsOfWhatThePointsHave) {
  const auto compared = [](const std::string& keys) { return kJob + "compare: {" + keys + "}\n"; };
  const Experiment experiment = load_experiment_text(
      compared("schedule: wfbp, against: [\"fixed(first=64KiB,cap=1MiB)\"], published: 18-56 %"),
      "x.yaml");
  EXPECT_EQ(experiment.gains->against.front(), "fixed(cap=1MiB, first=64KiB)");
  EXPECT_EQ(experiment.gains->published, "18-56 %");
  EXPECT_THAT(refusal(compared("algorithm: rings, against: [ring]")),
              AllOf(StartsWith("x.yaml:12:22: "), HasSubstr("there are: ring")));
  EXPECT_THAT(refusal(compared("algorithm: ring, against: [ring, bml]")),
              StartsWith("x.yaml:12:44: "));
}

}  // namespace
}  // namespace gradwire::experiment
