#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "schedule/jobs/job.h"
#include "schedule/jobs/program_graph.h"

namespace gradwire::jobs {

/// A wait of a rank that has called a collective for another rank to do so.
struct Wait {
  std::size_t rank = 0;
  std::size_t node = 0;      ///< the call in which it waits, in its program
  std::size_t for_rank = 0;  ///< the rank that cannot get there
};

/// A cycle of ranks that wait for each other for ever: the rank that each one waits for is the one
/// that is stuck in the next wait, and the last waits for the first. Empty if the job comes to its
/// end.
///
/// The job is run without time: computing is over at once, and a collective when all members have
/// called it. Streams are in order and collectives meet all their members, so the same nodes run
/// whatever their order (as in a Kahn process network). Some collectives let a member continue
/// before all have called them, which depends on their algorithm; a job that needs this is found to
/// wait.
///
/// `graphs` are the job's. Requires that the earlier steps of check() found nothing.
[[nodiscard]] std::vector<Wait> endless_waits(const Job& job, std::span<const ProgramGraph> graphs);

}  // namespace gradwire::jobs
