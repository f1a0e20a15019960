#include <array>

#include "results/record/point_json.h"
#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using nlohmann::json;
using record::TrainingRow;

std::string profile(const TrainingRow& training) {
  return training.plan.profile;
}

std::size_t count(const TrainingRow& training) {
  return training.bucket_gst.size();
}

/// The measured and predicted buckets side by side. A job may have been measured with other buckets
/// than its prediction's.
json buckets(const TrainingRow& training) {
  const json predicted = to_json(training.plan).at("predicted").at("buckets");
  json list = json::array();
  for (std::size_t i = 0; i < training.bucket_gst.size(); ++i) {
    json bucket = {{"gst_us", as_value(training.bucket_gst[i])}};
    if (i < predicted.size()) {
      bucket["bytes"] = predicted[i].at("bytes");
      bucket["predicted"] = predicted[i];
    }
    list.push_back(std::move(bucket));
  }
  return list;
}

constexpr std::string_view kBucket = R"json({
  "type": "object",
  "required": ["gst_us"],
  "properties": {
    "gst_us": {"description": "Median synchronization time.", "type": "number"},
    "bytes": {"type": "number"},
    "predicted": {
      "description": "In the predicted iteration: its last gradient is there, it begins, it is done.",
      "type": "object",
      "required": ["bytes", "ready_us", "start_us", "end_us"],
      "properties": {
        "bytes": {"type": "number"},
        "ready_us": {"type": "number"},
        "start_us": {"type": "number"},
        "end_us": {"type": "number"}
      }
    }
  }
})json";

constexpr std::array kBucketMetrics = std::to_array<Metric>({
    {.name = "training",
     .definition = "What a training job has beside its GST; null for a plain all-reduce.",
     .kind = Kind::object,
     .nullable = true,
     .json = "/training"},
    {.name = "profile",
     .definition = "Where the computing times come from.",
     .kind = Kind::text,
     .json = "/training/profile",
     .value = of_training<profile>},
    {.name = "buckets",
     .definition = "Synchronizations per iteration: gradients in one bucket share one.",
     .kind = Kind::count,
     .column = {.heading = "msgs", .brief = {.training = true}, .training = kShown},
     .glossary = true,
     .value = of_training<count>},
    {.name = "each bucket",
     .unit = "us",
     .definition = "Every bucket's median synchronization time, and its size and times in the "
                   "prediction where there was one.",
     .kind = Kind::list,
     .json = "/training/buckets",
     .element = kBucket,
     .value = of_training<buckets>},
});

}  // namespace

std::span<const Metric> bucket_metrics() {
  return kBucketMetrics;
}

}  // namespace gradwire::report
