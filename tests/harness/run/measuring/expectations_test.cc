#include "harness/run/measuring/expectations.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace gradwire::run {
namespace {

namespace fs = std::filesystem;

/// Links of 1 GB/s without headers, 5 us for each message.
experiment::Experiment experiment_with(const std::string& keys,
                                       const std::string& algorithm = "ring") {
  return experiment::load_experiment_text(
      "gradwire: 1\nname: t\nlink: {rate: 8Gbit, headers: none, startup: 5us}\nalgorithm: \"" +
          algorithm + "\"\n" + keys,
      "x");
}

// A ring of two takes two steps: 4000 bytes for a gradient of 8000, 5 us each, and what a message
// was found to take beside: 1 us.
TEST(PredictGst, KnowsTheLinksAsTheyWereFound) {
  const auto experiment = experiment_with("elements: 2000\nwiring: single-switch(2)\n");
  const auto points = prepare(experiment, record::Backing::emulated);
  const auto predicted = predict_gst(experiment, points.front(), {.startup = Seconds(1e-6)}, {});
  ASSERT_TRUE(predicted.has_value());
  EXPECT_NEAR(predicted->count(), 2 * (4 + 5 + 1) * 1e-6, 1e-9);
}

// Two layers of 4000 and 8000 bytes. All at once take 2 (6 + 5) us; the job put them into two
// buckets, and so does the prediction: 2 (4 + 5) us and 2 (2 + 5) us.
TEST(PredictGst, OfATrainingJobHasTheBucketsThatItChose) {
  const fs::path trace =
      fs::temp_directory_path() / ("gradwire_expectations_" + std::to_string(::getpid()) + ".csv");
  std::ofstream(trace)
      << "tensor,elements,forward_us,backward_us\nfirst,1000,1,2\nsecond,2000,2,1\n";
  const auto experiment = experiment_with("compute: {trace: " + trace.string() +
                                          "}\nschedule: synceasgd\nwiring: single-switch(2)\n");
  const auto points = prepare(experiment, record::Backing::emulated);
  fs::remove(trace);
  const auto predicted = [&](std::vector<schedule::Bucket> buckets) {
    const workers::JobPlan job{.cost = {{.bytes = 12'000, .time = Seconds(22e-6)}},
                               .buckets = std::move(buckets)};
    return predict_gst(experiment, points.front(), {}, job).value();
  };
  EXPECT_NEAR(predicted({{.first = 0, .count = 2}}).count(), 22e-6, 1e-8);
  EXPECT_NEAR(predicted({{.first = 0, .count = 1}, {.first = 1, .count = 1}}).count(), 32e-6, 1e-8);
}

// Two workers and a server with the stack, 1 byte/ns, 80 bytes of burst: inputs of 12 elements each take
// 96 - 80 ns to it, and errors as long back; 9 gradients of each take 72 bytes each way, no more than a burst
// lets through. Where nothing is computed between, no burst comes back.
TEST(Bounds, BurstsComeBackBetweenStagesThatCompute) {
  const auto experiment = experiment_with(
      "wiring: single-switch(3)\nworkload: \"hybrid(image=1x4, convolutions=1x3, stack=2, "
      "samples=3)\"\n",
      "ps(servers=1, dedicated)");
  const auto points = prepare(experiment, record::Backing::emulated);
  const PreparedPoint& point = points.front();
  const auto bounds = bounds_of(point, {}, {.payload = {8e9}, .burst = 80});
  ASSERT_EQ(bounds.size(), 3u);
  EXPECT_NEAR(bounds[0].count(), 16e-9, 1e-12);
  EXPECT_NEAR(bounds[1].count(), 16e-9, 1e-12);
  EXPECT_NEAR(bounds[2].count(), 0, 1e-12);
  EXPECT_FALSE(predict_gst(experiment, point, {}, {}).has_value());
  const auto lenet =
      experiment_with("wiring: single-switch(3)\nworkload: \"hybrid(model=lenet5, samples=3)\"\n");
  const auto moved = prepare(lenet, record::Backing::emulated);
  EXPECT_EQ(bounds_of(moved.front(), {}, {.payload = {8e9}, .burst = 80}).size(), 1u);
}

}  // namespace
}  // namespace gradwire::run
