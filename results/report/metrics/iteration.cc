#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::MedianInterval;
using record::Summary;
using record::TrainingRow;

template <auto Get>
nlohmann::json of_iteration(const Subject& subject) {
  const auto& training = subject.row.training;
  return training ? as_value(std::invoke(Get, training->iteration)) : nlohmann::json();
}

nlohmann::json predicted(const TrainingRow& training) {
  const schedule::Timeline& predicted = training.plan.predicted;
  return predicted.buckets.empty() ? nlohmann::json() : as_value(predicted.iteration);
}

constexpr std::array kIterationMetrics = std::to_array<Metric>({
    {.name = "compute",
     .unit = "us",
     .definition = "Forward and backward pass of an iteration without any waiting; median.",
     .json = "/training/compute_us",
     .csv = {.name = "compute_us", .after = "iteration median"},
     .column = {.heading = "compute", .training = kShown},
     .glossary = true,
     .value = of_training<&TrainingRow::compute>},
    {.name = "iteration",
     .unit = "us",
     .definition = "From the last rank's start of the forward pass to the last rank's end of the "
                   "last bucket.",
     .kind = Kind::object,
     .json = "/training/iteration_us",
     .glossary = true},
    {.name = "iterations",
     .definition = "Measured iterations of a training job.",
     .kind = Kind::count,
     .json = "/training/iteration_us/n",
     .value = of_iteration<&Summary::n>},
    {.name = "iteration median",
     .unit = "us",
     .definition = "Median iteration time.",
     .json = "/training/iteration_us/median",
     .csv = {"iteration_p50_us"},
     .column = {.heading = "iter_p50", .brief = {.training = true}, .training = kShown},
     .value = of_iteration<in_microseconds<&Summary::median>>},
    {.name = "iteration p95",
     .unit = "us",
     .definition = "95th percentile of the iteration time, nearest rank.",
     .json = "/training/iteration_us/p95",
     .value = of_iteration<in_microseconds<&Summary::p95>>},
    {.name = "iteration p99",
     .unit = "us",
     .definition = "99th percentile of the iteration time, nearest rank.",
     .json = "/training/iteration_us/p99",
     .column = {.heading = "iter_p99", .training = kShown},
     .value = of_iteration<in_microseconds<&Summary::p99>>},
    {.name = "iteration mean",
     .unit = "us",
     .definition = "Mean iteration time.",
     .json = "/training/iteration_us/mean",
     .value = of_iteration<in_microseconds<&Summary::mean>>},
    {.name = "iteration standard deviation",
     .unit = "us",
     .definition = "Standard deviation of the iteration time, of a sample (n - 1).",
     .json = "/training/iteration_us/stdev",
     .value = of_iteration<in_microseconds<&Summary::stdev>>},
    {.name = "iteration cv",
     .unit = "%",
     .definition = "100 x standard deviation / mean of the iteration time.",
     .json = "/training/iteration_us/cv_percent",
     .value = of_iteration<&Summary::cv_percent>},
    {.name = "iteration minimum",
     .unit = "us",
     .definition = "The shortest iteration time.",
     .json = "/training/iteration_us/min",
     .value = of_iteration<in_microseconds<&Summary::min>>},
    {.name = "iteration maximum",
     .unit = "us",
     .definition = "The longest iteration time.",
     .json = "/training/iteration_us/max",
     .value = of_iteration<in_microseconds<&Summary::max>>},
    {.name = "iteration interval",
     .unit = "us",
     .definition = "Two measured iteration times that have the true median between them; with "
                   "fewer than 6 iterations there are none.",
     .kind = Kind::object,
     .nullable = true,
     .json = "/training/iteration_us/median_interval"},
    {.name = "iteration interval from",
     .unit = "us",
     .definition = "The lower end of the median iteration time's confidence interval.",
     .json = "/training/iteration_us/median_interval/low",
     .value = of_iteration<interval_end<&MedianInterval::low>>},
    {.name = "iteration interval to",
     .unit = "us",
     .definition = "The upper end of the median iteration time's confidence interval.",
     .json = "/training/iteration_us/median_interval/high",
     .value = of_iteration<interval_end<&MedianInterval::high>>},
    {.name = "iteration interval confidence",
     .definition = "How sure the interval holds the median iteration time, from 0.95 to 1.",
     .json = "/training/iteration_us/median_interval/confidence",
     .value = of_iteration<confidence>},
    {.name = "predicted",
     .unit = "us",
     .definition = "Iteration time as predicted before the job from its profile and costs.",
     .nullable = true,
     .json = "/training/predicted_iteration_us",
     .csv = {.name = "predicted_iteration_us", .after = "JCT"},
     .column = {.heading = "pred", .brief = {.training = true}, .training = kShown},
     .glossary = true,
     .value = of_training<predicted>},
    {.name = "prediction off by",
     .unit = "%",
     .definition = "100 x (predicted / measured - 1).",
     .nullable = true,
     .json = "/training/prediction_error_percent",
     .column =
         {.heading = "err%", .brief = {.training = true}, .training = kShown, .format = "{:+.1f}"},
     .glossary = true,
     .value = of_training<&TrainingRow::prediction_error_percent>},
    {.name = "exposed",
     .unit = "us",
     .definition = "Iteration time minus compute time; median.",
     .json = "/training/exposed_us",
     .csv = {"exposed_us"},
     .column = {.heading = "exposed", .training = kShown},
     .glossary = true,
     .value = of_training<&TrainingRow::exposed>},
    {.name = "exposed share",
     .unit = "%",
     .definition = "100 x (iteration time - compute time) / iteration time.",
     .json = "/training/exposed_percent",
     .csv = {"exposed_percent"},
     .column = {.heading = "exposed%",
                .brief = {.training = true},
                .results = kShown,
                .training = kShown},
     .value = of_training<&TrainingRow::exposed_percent>},
    {.name = "JCT",
     .unit = "us",
     .definition = "Job completion time, of all measured iterations together.",
     .json = "/training/jct_us",
     .csv = {"jct_us"},
     .column = {.heading = "jct", .results = shown_after("wrong"), .training = kShown},
     .glossary = true,
     .value = of_training<&TrainingRow::jct>},
});

}  // namespace

std::span<const Metric> iteration_metrics() {
  return kIterationMetrics;
}

}  // namespace gradwire::report
