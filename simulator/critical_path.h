#pragma once

#include <cstddef>
#include <vector>

#include "schedule/jobs/job.h"
#include "simulator/jobs.h"

namespace gradwire::simulator {

/// A stretch of an iteration's critical path.
struct PathStep {
  std::size_t rank = 0;
  std::size_t node = 0;  ///< node of the rank's program
  double start = 0;      ///< seconds; of a collective: the call of the last member that mattered
  double end = 0;
};

/// The critical path of a job's last iteration that counts, from the iteration's beginning on. The
/// step before a node is the one that was over last of those it waited for; the step before a
/// collective is the one that delayed the last member to call it before it was over on this rank.
/// Between two steps lies the lag of the second. `outcome` must be the job's.
[[nodiscard]] std::vector<PathStep> critical_path(const jobs::Job& job, const JobOutcome& outcome);

}  // namespace gradwire::simulator
