#pragma once

#include <chrono>
#include <ratio>

#include "core/units.h"
#include "results/record/sample.h"

/// Times of an iteration, each defined once. statistics.h has statistics of them,
/// results/report/metrics/ their presentation.
namespace gradwire::record {

/// Time by the clock, before it is divided by the dilation.
using WallTime = std::chrono::duration<double, std::nano>;

/// Removes the dilation: time / dilation. Requires dilation >= 1.
[[nodiscard]] Seconds undilated(WallTime time, double dilation);

/// Time from the last rank's start to the last rank's end. For a training job this is the iteration
/// time. Requires a rank.
[[nodiscard]] Nanoseconds wall(const Sample& sample);

/// GST, the gradient synchronization time, undilated: from the moment the last rank's gradient is
/// ready to the moment the last rank can use the result. For a training job, it is the sum over all
/// buckets, each from the last rank's start to the last rank's end.
[[nodiscard]] Seconds gst(const Sample& sample);

/// Exposed communication of a training job, which computing does not hide, undilated: iteration
/// time minus compute time.
[[nodiscard]] Seconds exposed(WallTime iteration, WallTime compute, double dilation);

}  // namespace gradwire::record
