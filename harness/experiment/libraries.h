#pragma once

#include "harness/experiment/experiment.h"
#include "results/record/libraries.h"

namespace gradwire::experiment {

/// Throws InputError, at its place, for what the experiment measures with a library that the
/// program was built without: a transport, an algorithm, or the backing hosts, whose ranks meet over
/// MPI. What is only simulated needs none.
void check_libraries(const Experiment& experiment, const record::Libraries& libraries);

}  // namespace gradwire::experiment
