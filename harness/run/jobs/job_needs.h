#pragma once

#include <cstddef>
#include <span>

#include "collectives/algorithms/job_plans.h"
#include "simulator/jobs.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// Ranks with more threads are refused: a rank has one for each stream of its program, and one for each
/// lane of its collectives but the first.
inline constexpr std::size_t kMostRankThreads = 64;

/// Resources that jobs take of a machine that emulates them.
struct JobNeeds {
  double bytes = 0;    ///< all ranks' elements, each twice: harness/workers/rank/channel_end.h
  double threads = 0;  ///< sum over all ranks
  std::size_t rank_threads = 0;   ///< threads of the rank with most
  std::size_t rank_elements = 0;  ///< elements of all calls of an iteration, of the rank with most
};

/// Throws InputError as algorithms::JobAlgorithms::plans.
[[nodiscard]] JobNeeds needs_of(const topologies::Topology& topology,
                                std::span<const simulator::Tenant> tenants,
                                const algorithms::JobAlgorithms& algorithms);

/// Throws InputError, without a place, for a rank with too many threads, and for more memory, processes
/// or threads than this machine has left for so many hosts.
void require_room(const JobNeeds& needs, std::size_t hosts);

}  // namespace gradwire::run
