#pragma once

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "results/record/libraries.h"

namespace gradwire::run {

/// Throws InputError, at its place in the experiment, for a library that the program was built
/// without and that some of these points are measured with: by their transport, their algorithm, their
/// memory, or the backing hosts, whose ranks meet over MPI. What is only simulated needs none.
void require_libraries(const experiment::Experiment& experiment, const PreparedPoints& points,
                       const record::Libraries& libraries);

}  // namespace gradwire::run
