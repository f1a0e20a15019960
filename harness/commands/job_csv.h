#pragma once

#include <string>

#include "harness/commands/job_text.h"

namespace gradwire::commands {

/// Formats the groups of a job in its last iteration as tidy CSV (RFC 4180): a header, and on each
/// backing a line for every group (simulator/group_times.h), and one without a name for all
/// together. Times are microseconds.
[[nodiscard]] std::string format_job_csv(const RanJob& ran);

}  // namespace gradwire::commands
