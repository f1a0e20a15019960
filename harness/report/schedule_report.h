#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/experiment/experiment.h"
#include "schedule/backward_pass.h"
#include "schedule/timeline.h"
#include "workloads/profile.h"

namespace gradwire::harness {

/// One point of an experiment, planned with the assumed cost.
struct PlannedPoint {
  const Point* point;
  workloads::Profile profile;
  schedule::Affine cost;
  schedule::Schedule schedule;
  schedule::Timeline timeline;
  Seconds optimum{};  ///< the iteration time of the optimal schedule
};

/// Plans every point; the experiment must outlive the result. Throws InputError at the place of
/// what does not make sense.
[[nodiscard]] std::vector<PlannedPoint> plan_points(const Experiment& experiment);

/// A line per point, with how far each is from the optimum, and where times and costs come from.
[[nodiscard]] std::string format_planned(const Experiment& experiment,
                                         std::span<const PlannedPoint> points);

/// The buckets of one point and their timeline.
[[nodiscard]] std::string format_buckets(const PlannedPoint& point);

}  // namespace gradwire::harness
