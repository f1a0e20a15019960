#pragma once

#include <cstddef>
#include <span>

#include "simulator/jobs.h"
#include "simulator/placement_judge.h"

/// Where jobs on one fabric should run, and where they should not.
namespace gradwire::simulator {

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
  double bound = 0;           ///< less slowdown than this no placement has (least_iteration.h)
};

/// Looks for the placements with the least and the largest slowdown. A placement gives every job hosts
/// of its own, ranks in the order of the hosts. Where there are few, all are simulated but for those that
/// come to the same: equal jobs may change places, and so may hosts that nothing tells apart
/// (topologies::twin_runs). Else some are, as PlacementClimb says: up to half of them in search of
/// the best, which ends when the bound is reached, the others in search of the worst. What is found is at
/// least as good, or as bad, as the tenants' own seats.
///
/// Of equally good placements the first that is found. Deterministic. Requires that all ranks have a
/// host, and what least_iteration() requires; throws as simulate() and `plans_of`.
[[nodiscard]] FoundPlacements search_placements(const topologies::Topology& topology,
                                                std::span<const Tenant> tenants,
                                                const PlansOf& plans_of, const NetworkModel& model,
                                                const SearchLimits& limits = {});

}  // namespace gradwire::simulator
