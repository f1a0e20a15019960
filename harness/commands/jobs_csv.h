#pragma once

#include <span>
#include <string>

#include "harness/commands/jobs_text.h"

namespace gradwire::commands {

/// Jobs on one wiring as tidy CSV (RFC 4180): a header, and on each backing a line for every job and
/// whom it ran beside: nobody, every other job for itself where the two were run, and all. The last has
/// the busiest link that the job shares, too. Times are microseconds; what is not known is empty.
[[nodiscard]] std::string format_jobs_csv(std::span<const RanJobs> ran);

}  // namespace gradwire::commands
