#pragma once

#include <chrono>
#include <ratio>

#include "core/units.h"
#include "results/record/sample.h"

/// The times of an iteration that this project is about, each defined once. Statistics of them:
/// statistics.h. What is shown of them: results/report/metrics/.
namespace gradwire::record {

/// Time as the clock saw it, before it is divided by the dilation.
using WallTime = std::chrono::duration<double, std::nano>;

/// A time without dilation: time / dilation. Requires dilation >= 1.
[[nodiscard]] Seconds undilated(WallTime time, double dilation);

/// From the last rank's start to the last rank's end. Of a training job this is the iteration time.
/// Requires a rank.
[[nodiscard]] Nanoseconds wall(const Sample& sample);

/// GST, the gradient synchronization time, undilated: from the moment the last rank's gradient is
/// ready to the moment the last rank can use the result. Of a training job, the sum over all its
/// buckets, each from the last rank's start to the last rank's end.
[[nodiscard]] Seconds gst(const Sample& sample);

/// Communication of a training job that computing does not hide, undilated: iteration time minus
/// compute time.
[[nodiscard]] Seconds exposed(WallTime iteration, WallTime compute, double dilation);

}  // namespace gradwire::record
