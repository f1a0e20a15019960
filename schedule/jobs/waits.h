#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "schedule/jobs/job.h"
#include "schedule/jobs/program_graph.h"

namespace gradwire::jobs {

/// A rank that has called a collective, and waits for another rank to do so.
struct Wait {
  std::size_t rank = 0;
  std::size_t node = 0;      ///< of its program: the call in which it waits
  std::size_t for_rank = 0;  ///< that cannot get there
};

/// Ranks that wait for each other for ever: whom one waits for is held up in the next wait, and after
/// the last comes the first. Empty when the job comes to its end.
///
/// The job is run without time: computing is over at once, and a collective when all members have
/// called it. As streams are in order and collectives meet all their members, whatever the order in
/// which nodes run, the same ones do (as in a Kahn process network). Some collectives let a member go
/// on before all have called them, which depends on their algorithm; a job that needs this is found
/// to wait.
///
/// `graphs` are the job's. Requires what check() looks for before it asks this.
[[nodiscard]] std::vector<Wait> endless_waits(const Job& job, std::span<const ProgramGraph> graphs);

}  // namespace gradwire::jobs
