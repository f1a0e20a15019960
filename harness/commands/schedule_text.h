#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/run/point_schedules.h"

namespace gradwire::commands {

/// A line per point, with how far each is from the optimum, and where times and costs come from.
[[nodiscard]] std::string format_planned(const experiment::Experiment& experiment,
                                         std::span<const run::PointSchedule> points);

/// The buckets of one point and their timeline.
[[nodiscard]] std::string format_buckets(const run::PointSchedule& point);

}  // namespace gradwire::commands
