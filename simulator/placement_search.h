#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simulator/jobs.h"

/// Where jobs on one fabric should run, and where they should not.
namespace gradwire::simulator {

/// Hosts for all jobs, and how well they do there.
struct JudgedPlacement {
  std::vector<std::vector<Rank>> seats;  ///< by job, rank: ascending hosts
  /// The largest over all jobs of an iteration's mean with all others, in units of its mean alone on the
  /// wiring's first hosts.
  double slowdown = 0;
  double sum =
      0;  ///< of all jobs' slowdowns: of placements with the same largest one, less is better
};

/// How long a search may take.
struct SearchLimits {
  std::size_t most_exact = 2000;      ///< with more placements than this they are not all tried
  std::size_t most_simulated = 1000;  ///< placements that a search which is not exact tries
};

/// What a search found.
struct FoundPlacements {
  JudgedPlacement best;
  JudgedPlacement worst;
  bool is_exact = false;      ///< all placements were tried
  std::size_t simulated = 0;  ///< placements
};

/// Looks for the placements with the least and the largest slowdown. A placement gives every job hosts
/// of its own, ranks in the order of the hosts; that of equal jobs it matters not which is where. Where
/// there are few, all are simulated. Else both searches begin with the tenants' seats and swap hosts of
/// two jobs, or of a job and no job: of all swaps the 20 whose busiest link is least (or most) loaded
/// are simulated, and the best is taken, until none is better or the limit is reached.
///
/// Of equally good placements the first that is found. Deterministic. Requires that all ranks have a
/// host; throws as simulate() and `plans_of`.
[[nodiscard]] FoundPlacements search_placements(const topologies::Topology& topology,
                                                std::span<const Tenant> tenants,
                                                const PlansOf& plans_of, const NetworkModel& model,
                                                const SearchLimits& limits = {});

}  // namespace gradwire::simulator
