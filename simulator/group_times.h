#pragma once

#include <cstddef>
#include <vector>

#include "schedule/jobs/job.h"
#include "simulator/jobs.h"

namespace gradwire::simulator {

/// The times that ranks are in a group's collectives, in the last iteration that counts. Times are
/// seconds, on average over the ranks.
struct GroupTimes {
  std::size_t ranks = 0;
  std::size_t calls = 0;    ///< collectives of an iteration
  double busy = 0;          ///< time from a rank's call to the end of its part, in any of them
  double exposed = 0;       ///< part of `busy` in which the rank does not compute
  double most_exposed = 0;  ///< `exposed` of the rank for which it is longest; not an average
};

/// The times of each group of the job. The last entry, after those of the groups, is of the
/// collectives of all groups together, over all ranks of the job: time in which a rank is in
/// collectives of several groups counts for each of these, and once here. `outcome` must be the
/// job's. Takes n log n time for the n nodes of all ranks.
[[nodiscard]] std::vector<GroupTimes> group_times(const jobs::Job& job, const JobOutcome& outcome);

}  // namespace gradwire::simulator
