#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "collectives/algorithms/job_plans.h"
#include "core/dtype.h"
#include "core/goal.h"
#include "core/plan.h"
#include "simulator/jobs.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// A job's calls of one size in one channel (schedule/jobs/channels.h), as the wiring's hosts run them.
struct PlannedCall {
  std::size_t channel = 0;  ///< its number in the job
  Dtype type = Dtype::float32;
  std::size_t times = 0;           ///< in an iteration
  const std::vector<Rank>& hosts;  ///< by place in the group
  Goal goal;                       ///< goal of all hosts
  std::vector<Plan> plans;         ///< by host; those of hosts that are no members are empty
};

/// Calls visit(call) for the calls of each size in each channel of a job; no more than one is in memory
/// at a time. Throws InputError as algorithms::JobAlgorithms::plans.
void for_each_call(const topologies::Topology& topology, const simulator::Tenant& tenant,
                   const algorithms::JobAlgorithms& algorithms,
                   const std::function<void(const PlannedCall&)>& visit);

}  // namespace gradwire::run
