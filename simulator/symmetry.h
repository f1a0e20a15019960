#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// Tests of whether the simulation of one rank is that of all.
namespace gradwire::simulator {

/// Makes a rank's Plan.
using PlanOf = std::function<Plan(Rank)>;

/// Whether every rank's Plan is rank 0's, translated: the same lanes, steps, sizes and ports, with
/// every peer moved by the rank (Topology::translation). Then all ranks do the same at every
/// moment: they start alike, max-min fair sharing gives translated flows the same rate, and a
/// transfer ends everywhere at once. So a simulation of rank 0 with everything that reaches it
/// (FoldedFabric) is one of all.
///
/// The positions of extents in the buffer differ from rank to rank, and decide which transfers wait
/// for which. For overlapped Plans these waits are compared, too (core/lane_program.h): one rank
/// may pass on the first third of a step's arrivals and another the last. For Plans in order there
/// is nothing to compare: a send waits for all messages of all earlier steps, which have then
/// arrived everywhere, so that no receive waits for anything.
///
/// Looks at all ranks when there are at most `most` entries of Plans in all, and at that many
/// spread over the ranks otherwise. False for a wiring without a translation.
[[nodiscard]] bool is_symmetric(const topologies::Topology& topology, const PlanOf& plan_of,
                                std::size_t most = 20'000'000);

/// The ranks that check_alike compares besides rank 0, ascending, each once. The radices are those
/// of a translation, N their product: they are, for each digit, the rank that has 1 there and 0
/// elsewhere; N/3, N/2; and the last.
[[nodiscard]] std::vector<Rank> guarded_ranks(std::span<const std::size_t> radices);

/// Checks an algorithm's claim that every rank's Plan is rank 0's, translated. is_symmetric needs
/// all Plans for that; this function makes only those of rank 0 and of guarded_ranks, and compares
/// them like is_symmetric.
///
/// It is a guard, no proof. A difference at other ranks is not caught, and the simulation would
/// then be wrong. So an algorithm makes the claim only where arithmetic makes it certain, and tests
/// compare every claim with is_symmetric (tests/collectives/algorithms/alike_test.cc).
///
/// Throws InternalError with the first rank whose Plan differs, and for a wiring without a
/// translation.
void check_alike(const topologies::Topology& topology, const PlanOf& plan_of);

}  // namespace gradwire::simulator
