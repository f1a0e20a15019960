#pragma once

#include <chrono>

#include "core/units.h"
#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"

/// Limits of what a measured point may ask for, before anything is built: beyond them, times no
/// longer fit into the clocks' nanoseconds, and memory not into the machine.
namespace gradwire::run {

/// Real time of one iteration.
inline constexpr std::chrono::hours kLongestIteration{30 * 24};

/// Throws InputError, at the point's amount, when an iteration of a measured point takes more than
/// kLongestIteration at this dilation: what it computes and what its links carry at least.
void check_iteration(const PreparedPoint& point, double dilation);

/// Durations for which flows are carried to find out the rate of their links.
struct CalibrationTimes {
  Seconds alone{0.08};
  Seconds together{0.25};
};

/// Throws InputError, at the key `link`, when calibrating the point's links at their dilated rate
/// takes more memory than the machine has. Requires a dilation that is known.
void check_calibration(const experiment::Experiment& experiment, const PreparedPoint& point);

}  // namespace gradwire::run
