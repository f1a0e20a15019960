#pragma once

#include <span>
#include <string>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// A table for people of training jobs in which a program computed, beside predictions of the same
/// jobs on the same links from the same computing times: simulated, and emulated with timed waits.
/// Empty when no program computed. Predictions may come from any of the runs; the first that has
/// one counts.
[[nodiscard]] std::string format_computed_jobs(std::span<const record::StoredRun> runs);

}  // namespace gradwire::report
