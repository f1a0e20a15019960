#pragma once

#include <span>

#include "results/report/metrics/metric.h"

/// Metrics by topic, a source file each. metrics() joins them.
namespace gradwire::report {

[[nodiscard]] std::span<const Metric> point_metrics();          ///< the point and its run
[[nodiscard]] std::span<const Metric> configuration_metrics();  ///< the measured configuration
[[nodiscard]] std::span<const Metric> gst_metrics();            ///< GST and its statistics
[[nodiscard]] std::span<const Metric> rate_metrics();           ///< bound, cut and bandwidths
[[nodiscard]] std::span<const Metric> bucket_metrics();         ///< a training job's buckets
[[nodiscard]] std::span<const Metric> iteration_metrics();      ///< a training job's times
[[nodiscard]] std::span<const Metric> cost_metrics();           ///< a training job's measured costs
[[nodiscard]] std::span<const Metric> dense_metrics();          ///< fully connected layers
[[nodiscard]] std::span<const Metric> machine_metrics();        ///< iterations and the machine
[[nodiscard]] std::span<const Metric> verdict_metrics();        ///< whether to believe the row
[[nodiscard]] std::span<const Metric> wiring_metrics();         ///< parts of the wiring

}  // namespace gradwire::report
