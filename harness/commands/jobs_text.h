#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/id.h"
#include "results/record/backing.h"
#include "schedule/jobs/jobs_file.h"
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
  record::Backing backing = record::Backing::simulated;
};

/// A table by job: its hosts, how long an iteration takes alone and with all others, and the
/// busiest link that it shares.
[[nodiscard]] std::string format_company(const RanJobs& ran);
/// A table of slowdowns: how much longer a job takes beside each other one alone, and beside all;
/// "-" for a pair that was not run.
[[nodiscard]] std::string format_slowdowns(const RanJobs& ran);
/// The name of a directed link (topologies::link_number): "h3 -> leaf 0".
[[nodiscard]] std::string link_text(const topologies::Topology& topology, std::uint32_t number);
/// A placement as text: "best: slowdown 1.0000", and each job's hosts there.
[[nodiscard]] std::string format_placement(const char* which,
                                           const std::vector<jobs::ListedJob>& jobs,
                                           const simulator::JudgedPlacement& placement);

}  // namespace gradwire::commands
