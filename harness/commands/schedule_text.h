#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/run/point_schedules.h"

namespace gradwire::commands {

/// A table with a line per point, how far each is from the optimum, and the origin of times and
/// costs.
[[nodiscard]] std::string format_planned(const experiment::Experiment& experiment,
                                         std::span<const run::PointSchedule> points);

/// A table of the buckets of one point, and their timeline.
[[nodiscard]] std::string format_buckets(const run::PointSchedule& point);

}  // namespace gradwire::commands
