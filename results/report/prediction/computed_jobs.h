#pragma once

#include <span>
#include <string>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// Training jobs in which a program computed, beside what was predicted of the same jobs on the same
/// links from the same computing times: simulated, and emulated with timed waits. A table for
/// people; empty when no program computed. The predictions may be of any of the runs, of which the
/// first that has one counts.
[[nodiscard]] std::string format_computed_jobs(std::span<const record::StoredRun> runs);

}  // namespace gradwire::report
