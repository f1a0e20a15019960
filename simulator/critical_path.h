#pragma once

#include <cstddef>
#include <vector>

#include "schedule/jobs/job.h"
#include "simulator/jobs.h"

namespace gradwire::simulator {

/// A stretch of an iteration's critical path.
struct PathStep {
  std::size_t rank = 0;
  std::size_t node = 0;  ///< of its program
  double start = 0;      ///< seconds; of a collective: when the last member that mattered called it
  double end = 0;
};

/// What the end of a job's last iteration that counts was waiting for, from the iteration's beginning
/// on. A node is preceded by the one that was over last of those before it; a collective by what held
/// up the last member that called it before it was over on this rank. Between two steps lies the lag of
/// the second. `outcome` must be the job's.
[[nodiscard]] std::vector<PathStep> critical_path(const jobs::Job& job, const JobOutcome& outcome);

}  // namespace gradwire::simulator
