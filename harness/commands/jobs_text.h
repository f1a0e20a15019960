#pragma once

#include <string>
#include <vector>

#include "core/id.h"
#include "jobs/jobs_file.h"
#include "simulator/company.h"
#include "simulator/placement_search.h"
#include "topologies/topology.h"

namespace gradwire::commands {

/// Jobs that were run on one wiring.
struct RanJobs {
  const std::vector<jobs::ListedJob>& jobs;
  const std::vector<std::vector<Rank>>& seats;  ///< by job, rank
  const topologies::Topology& topology;
  const simulator::Company& company;
};

/// By job: its hosts, how long an iteration takes alone and with all others, and the link that it shares
/// and that is busiest.
[[nodiscard]] std::string format_company(const RanJobs& ran);
/// How much longer a job takes beside each other one alone, and beside all.
[[nodiscard]] std::string format_slowdowns(const RanJobs& ran);
/// "best: slowdown 1.0000", and each job's hosts there.
[[nodiscard]] std::string format_placement(const char* which,
                                           const std::vector<jobs::ListedJob>& jobs,
                                           const simulator::JudgedPlacement& placement);

}  // namespace gradwire::commands
