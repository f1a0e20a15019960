#pragma once

#include <span>
#include <string>

#include "harness/commands/jobs_text.h"

namespace gradwire::commands {

/// Formats jobs on one wiring as tidy CSV (RFC 4180): a header, and on each backing a line for
/// every job and its company: nobody, each other job alone where the two were run, and all. The
/// last also has the busiest link that the job shares. Times are microseconds; an unknown value is
/// empty.
[[nodiscard]] std::string format_jobs_csv(std::span<const RanJobs> ran);

}  // namespace gradwire::commands
