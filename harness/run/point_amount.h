#pragma once

#include "collectives/algorithms/algorithm.h"
#include "harness/experiment/experiment.h"

/// What a point synchronizes, and what for.
namespace gradwire::run {

/// The amount that a point without computing synchronizes. Throws InputError at the place of the
/// workload for more elements than an experiment may have.
[[nodiscard]] algorithms::Amount amount_of(const experiment::Point& point);

/// What the point's algorithm achieves with that. Throws InputError at the algorithm's place.
[[nodiscard]] algorithms::Achieved achieved_by(const experiment::Point& point,
                                               const algorithms::Amount& amount);

}  // namespace gradwire::run
