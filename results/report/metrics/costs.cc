#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::TrainingRow;

Seconds startup(const TrainingRow& training) {
  return training.plan.cost.fit.line.a;
}

double nanoseconds_per_byte(const TrainingRow& training) {
  return training.plan.cost.fit.line.b * 1e9;
}

double r_squared(const TrainingRow& training) {
  return training.plan.cost.fit.r_squared;
}

nlohmann::json points(const TrainingRow& training) {
  return to_json(training.plan.cost).at("points");
}

constexpr std::string_view kPoint = R"json({
  "type": "object",
  "required": ["bytes", "us"],
  "properties": {
    "bytes": {"type": "number"},
    "us": {"type": "number"}
  }
})json";

constexpr std::array kCostMetrics = std::to_array<Metric>({
    {.name = "cost",
     .definition = "What synchronizing some sizes took when the job began, and the least-squares "
                   "line a + b x bytes through it.",
     .kind = Kind::object,
     .json = "/training/cost"},
    {.name = "a",
     .unit = "us",
     .definition = "Start-up of the line a + b x bytes through the measured costs.",
     .json = "/training/cost/a_us",
     .column = {.heading = "a", .training = kShown},
     .value = of_training<startup>},
    {.name = "b",
     .unit = "ns/B",
     .definition = "Slope of the line a + b x bytes through the measured costs.",
     .json = "/training/cost/b_ns_per_byte",
     .column = {.heading = "b", .training = kShown, .format = "{:.4f}"},
     .value = of_training<nanoseconds_per_byte>},
    {.name = "r squared",
     .definition = "How well the line a + b x bytes fits the measured costs, up to 1.",
     .json = "/training/cost/r_squared",
     .column = {.heading = "r2", .training = kShown, .format = "{:.4f}"},
     .value = of_training<r_squared>},
    {.name = "measured costs",
     .definition = "What synchronizing each size took.",
     .kind = Kind::list,
     .json = "/training/cost/points",
     .element = kPoint,
     .value = of_training<points>},
});

}  // namespace

std::span<const Metric> cost_metrics() {
  return kCostMetrics;
}

}  // namespace gradwire::report
