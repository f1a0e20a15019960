#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// Whether the simulation of one rank is that of all.
namespace gradwire::simulator {

/// Makes a rank's Plan.
using PlanOf = std::function<Plan(Rank)>;

/// Whether every rank's Plan is rank 0's, translated: the same lanes, steps, sizes and ports, with
/// every peer moved by the rank (Topology::translation). Then all ranks do the same at every
/// moment: they start alike, max-min fair sharing gives translated flows the same rate, and what
/// ends ends everywhere. So a simulation of rank 0 with everything that reaches it (FoldedFabric)
/// is one of all.
///
/// Where in the buffer the extents lie differs from rank to rank, and decides which transfers wait
/// for which. Of overlapped Plans these waits are compared, too (core/lane_program.h): of what one
/// step brings, a rank may pass on the first third and another the last. In order there is nothing
/// to compare: a send waits for all messages of all earlier steps, which have then arrived
/// everywhere, so that no receive waits for anything.
///
/// Looks at all ranks when there are at most `most` entries of Plans in all, and at that many
/// spread over the ranks otherwise. False for a wiring without a translation.
[[nodiscard]] bool is_symmetric(const topologies::Topology& topology, const PlanOf& plan_of,
                                std::size_t most = 20'000'000);

/// The ranks at which check_alike looks besides rank 0, ascending, each once. The radices are those
/// of a translation, N their product: per digit the rank that has 1 there and 0 elsewhere; N/3, N/2;
/// and the last.
[[nodiscard]] std::vector<Rank> guarded_ranks(std::span<const std::size_t> radices);

/// Holds an algorithm to its word that every rank's Plan is rank 0's, translated, which is_symmetric
/// takes all Plans to find out: makes those of rank 0 and of guarded_ranks alone, and compares them
/// as is_symmetric does.
///
/// It is a guard, no proof. A rank that differs at none of these places is not caught, and what is
/// then simulated is not what the ranks would do. So an algorithm says it only where arithmetic makes
/// it certain, and tests hold what each says against is_symmetric
/// (tests/collectives/algorithms/alike_test.cc).
///
/// Throws InternalError with the first rank whose Plan differs, and for a wiring without a
/// translation.
void check_alike(const topologies::Topology& topology, const PlanOf& plan_of);

}  // namespace gradwire::simulator
