#pragma once

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"

namespace gradwire::commands {

/// Prints a line for every point of an experiment on every backing: what would be run, its bound,
/// and the memory that its workers need.
void print_dry_run(const experiment::Experiment& experiment, const run::PreparedPoints& prepared);

}  // namespace gradwire::commands
