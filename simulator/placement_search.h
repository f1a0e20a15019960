#pragma once

#include <cstddef>
#include <span>

#include "simulator/jobs.h"
#include "simulator/placement_judge.h"

/// A search for the best and the worst placements of jobs on one fabric.
namespace gradwire::simulator {

/// The limits of a search's effort.
struct SearchLimits {
  std::size_t most_exact = 2000;      ///< with more placements than this, not all are tried
  std::size_t most_simulated = 1000;  ///< most placements of a search that is not exact
};

/// The result of a search.
struct FoundPlacements {
  JudgedPlacement best;
  JudgedPlacement worst;
  bool is_exact = false;      ///< all placements were tried
  std::size_t simulated = 0;  ///< number of simulated placements
  double bound = 0;           ///< lower bound on the slowdown of any placement (least_iteration.h)
};

/// Searches for the placements with the least and the largest slowdown. A placement gives every job
/// hosts of its own, ranks in the order of the hosts. If there are few, all are simulated, except
/// equivalent ones: equal jobs may change places, and so may twins (topologies::twin_runs).
/// Otherwise PlacementClimb simulates some: up to half of them in search of the best, which ends
/// when the bound is reached, the others in search of the worst. The results are at least as good,
/// or as bad, as the tenants' own seats.
///
/// Of equally good placements it takes the first that is found. Deterministic. Requires that all
/// ranks have a host, and the same as least_iteration(). Throws like simulate() and `plans_of`.
[[nodiscard]] FoundPlacements search_placements(const topologies::Topology& topology,
                                                std::span<const Tenant> tenants,
                                                const PlansOf& plans_of, const NetworkModel& model,
                                                const SearchLimits& limits = {});

}  // namespace gradwire::simulator
