#pragma once

#include "harness/experiment/experiment.h"

namespace gradwire::experiment {

/// Throws InputError, with its place, where gradients are asked to lie in the memory of devices and the
/// backing, the transport or what is synchronized has no use for that.
void check_memory(const Experiment& experiment);

}  // namespace gradwire::experiment
