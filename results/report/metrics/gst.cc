#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::MedianInterval;
using record::Summary;

template <auto Get>
nlohmann::json of_gst(const Subject& subject) {
  return as_value(std::invoke(Get, subject.row.gst));
}

constexpr std::array kGstMetrics = std::to_array<Metric>({
    {.name = "GST",
     .unit = "us",
     .definition = "Gradient synchronization time, from the moment the last rank's gradient is "
                   "ready to the moment the last rank can use the result; of a training job, the "
                   "sum over all its buckets, each from the last rank's start.",
     .kind = Kind::object,
     .json = "/gst_us",
     .glossary = true},
    {.name = "n",
     .definition = "Measured iterations.",
     .kind = Kind::count,
     .json = "/gst_us/n",
     .csv = {"n"},
     .glossary = true,
     .value = of_gst<&Summary::n>},
    {.name = "GST median",
     .unit = "us",
     .definition = "Median GST of the measured iterations.",
     .json = "/gst_us/median",
     .csv = {"gst_p50_us"},
     .column = {.heading = "gst_p50",
                .brief = {.plain = true, .dense = true},
                .results = kShown,
                .dense = kShown},
     .value = of_gst<in_microseconds<&Summary::median>>},
    {.name = "GST p95",
     .unit = "us",
     .definition = "95th percentile of GST, nearest rank.",
     .json = "/gst_us/p95",
     .csv = {"gst_p95_us"},
     .value = of_gst<in_microseconds<&Summary::p95>>},
    {.name = "GST p99",
     .unit = "us",
     .definition = "99th percentile of GST, nearest rank.",
     .json = "/gst_us/p99",
     .csv = {"gst_p99_us"},
     .column = {.heading = "gst_p99", .results = kShown},
     .value = of_gst<in_microseconds<&Summary::p99>>},
    {.name = "GST mean",
     .unit = "us",
     .definition = "Mean GST of the measured iterations.",
     .json = "/gst_us/mean",
     .csv = {"gst_mean_us"},
     .value = of_gst<in_microseconds<&Summary::mean>>},
    {.name = "GST standard deviation",
     .unit = "us",
     .definition = "Standard deviation of GST, of a sample (n - 1).",
     .json = "/gst_us/stdev",
     .csv = {"gst_stdev_us"},
     .value = of_gst<in_microseconds<&Summary::stdev>>},
    {.name = "cv",
     .unit = "%",
     .definition = "100 x standard deviation / mean of GST.",
     .json = "/gst_us/cv_percent",
     .csv = {"cv_percent"},
     .column = {.heading = "cv%", .brief = {.plain = true}, .results = kShown},
     .glossary = true,
     .value = of_gst<&Summary::cv_percent>},
    {.name = "GST minimum",
     .unit = "us",
     .definition = "The shortest GST.",
     .json = "/gst_us/min",
     .value = of_gst<in_microseconds<&Summary::min>>},
    {.name = "GST maximum",
     .unit = "us",
     .definition = "The longest GST.",
     .json = "/gst_us/max",
     .value = of_gst<in_microseconds<&Summary::max>>},
    {.name = "interval",
     .unit = "us",
     .definition = "Two measured GSTs that have the true median between them; with fewer than 6 "
                   "iterations there are none.",
     .kind = Kind::object,
     .nullable = true,
     .json = "/gst_us/median_interval",
     .glossary = true},
    {.name = "interval from",
     .unit = "us",
     .definition = "The lower end of the median's confidence interval.",
     .json = "/gst_us/median_interval/low",
     .csv = {"gst_ci_low_us"},
     .value = of_gst<interval_end<&MedianInterval::low>>},
    {.name = "interval to",
     .unit = "us",
     .definition = "The upper end of the median's confidence interval.",
     .json = "/gst_us/median_interval/high",
     .csv = {"gst_ci_high_us"},
     .value = of_gst<interval_end<&MedianInterval::high>>},
    {.name = "interval confidence",
     .definition = "How sure the interval holds the median, from 0.95 to 1.",
     .json = "/gst_us/median_interval/confidence",
     .value = of_gst<confidence>},
});

}  // namespace

std::span<const Metric> gst_metrics() {
  return kGstMetrics;
}

}  // namespace gradwire::report
