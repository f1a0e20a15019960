#pragma once

#include <cstddef>
#include <functional>

#include "core/plan.h"
#include "topologies/topology.h"

/// When one rank's time line is every rank's.
namespace gradwire::simulator {

/// A rank's Plan, made when asked for.
using PlanOf = std::function<Plan(Rank)>;

/// Whether every rank's Plan is rank 0's, translated: the same lanes, steps, sizes and ports, with
/// every peer moved by the rank (Topology::translation). Then all ranks do the same at every
/// moment: they start alike, max-min fair sharing gives translated flows the same rate, and what
/// ends ends everywhere. So a simulation of rank 0 with everything that reaches it (FoldedFabric)
/// is one of all.
///
/// One thing is not looked at: where in the buffer the extents lie. Which transfers wait for which
/// follows from how extents overlap; all algorithms here permute their parts of the gradient from
/// rank to rank, so the waits agree, and tests compare with all ranks simulated, for every
/// algorithm that this function accepts.
///
/// Looks at all ranks when there are at most `most` entries of Plans in all, and at that many
/// spread over the ranks otherwise. False for a wiring without a translation.
[[nodiscard]] bool is_symmetric(const topologies::Topology& topology, const PlanOf& plan_of,
                                std::size_t most = 20'000'000);

}  // namespace gradwire::simulator
