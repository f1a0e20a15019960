#pragma once

#include <vector>

#include "harness/experiment/experiment.h"
#include "schedule/backward_pass.h"
#include "schedule/cost.h"
#include "schedule/timeline.h"
#include "workloads/profile.h"

namespace gradwire::run {

/// The schedule of an experiment's point under the assumed cost, and how long an iteration then
/// takes.
struct PointSchedule {
  const experiment::Point* point;
  workloads::Profile profile;
  schedule::Affine cost;
  schedule::Schedule schedule;
  schedule::Timeline timeline;
  Seconds optimum{};  ///< the iteration time of the optimal schedule
};

/// Schedules every point. The experiment must outlive the result. Throws InputError at the place of
/// what does not make sense.
[[nodiscard]] std::vector<PointSchedule> schedule_points(const experiment::Experiment& experiment);

}  // namespace gradwire::run
