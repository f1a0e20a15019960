#pragma once

#include <optional>

#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "results/record/sweep_part.h"

namespace gradwire::commands {

/// Prints a line for every point that would be run, on every backing: its name, its bound, and the
/// memory that its workers need; and which part of the experiment the points are.
void print_dry_run(const experiment::Experiment& experiment, const run::PreparedPoints& prepared,
                   const std::optional<record::SweepPart>& part = std::nullopt);

}  // namespace gradwire::commands
