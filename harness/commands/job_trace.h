#pragma once

#include <string>

#include "schedule/jobs/job.h"
#include "simulator/jobs.h"

namespace gradwire::commands {

/// The last iteration of a job as a Chrome trace (JSON object form), which Perfetto and
/// chrome://tracing open: a process per rank, a track per stream, a span per node. Times are
/// microseconds since the simulation began.
[[nodiscard]] std::string job_trace(const jobs::Job& job, const simulator::JobOutcome& outcome);

}  // namespace gradwire::commands
