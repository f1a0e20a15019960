#pragma once

#include <vector>

#include "core/units.h"
#include "workloads/profile.h"

/// The times at which gradients become ready, and the buckets in which they are synchronized
/// (MG-WFBP: Shi et al., INFOCOM 2019 and TPDS 2021). Pure: no clock, no I/O.
namespace gradwire::schedule {

/// A layer's gradient.
struct Gradient {
  Seconds ready{};   ///< time since the iteration began
  double bytes = 0;  ///< above 0
};

/// The computation of an iteration: when each gradient becomes ready.
struct BackwardPass {
  std::vector<Gradient> gradients;  ///< in backward order: `ready` never falls; at least one
  Seconds end{};                    ///< end of computing; the last gradient's `ready`
};

/// The backward pass of a profile: forward through all layers, then backward from the last layer to
/// the first. Throws InternalError for a profile without layers.
[[nodiscard]] BackwardPass backward_pass(const workloads::Profile& profile);

}  // namespace gradwire::schedule
