#pragma once

#include <vector>

#include "harness/experiment/experiment.h"
#include "schedule/backward_pass.h"
#include "schedule/cost.h"
#include "schedule/timeline.h"
#include "workloads/profile.h"

namespace gradwire::run {

/// One point of an experiment, planned with the assumed cost.
struct PlannedPoint {
  const experiment::Point* point;
  workloads::Profile profile;
  schedule::Affine cost;
  schedule::Schedule schedule;
  schedule::Timeline timeline;
  Seconds optimum{};  ///< the iteration time of the optimal schedule
};

/// Plans every point; the experiment must outlive the result. Throws InputError at the place of
/// what does not make sense.
[[nodiscard]] std::vector<PlannedPoint> plan_points(const experiment::Experiment& experiment);

}  // namespace gradwire::run
