#pragma once

#include <cstddef>
#include <span>

#include "core/plan.h"
#include "topologies/topology.h"

/// An all-to-all on BCube(n,k) in which blocks travel digit by digit. Every block is cut into k
/// pieces, one for each lane. In step s of lane t a rank passes its pieces on to the ranks of its
/// switch of level (t + s) mod k, each piece to the one that agrees with its receiver in that
/// digit:
///
///     from 0,0 to 2,1    lane 0: port 0 to 0,1, then port 1 to 2,1
///                        lane 1: port 1 to 2,0, then port 0 to 2,1
///
/// So in every step the k lanes of a rank use its k ports, as in BML. A step carries (n-1)/n of a
/// lane's pieces, S/k for each rank, where a rank sends S in all:
///
///     T = (n-1)/n T_F + k alpha
///
/// No schedule takes less where hosts relay: N-1 of a rank's N blocks go as many hops as their
/// receiver differs from it in digits, k (n-1)/n on average, and a rank has k ports
/// (topologies/cut.h).
namespace gradwire::collectives::bcube_all_to_all {

/// The Plan of rank `rank`: k lanes of k steps, with N/n messages to each of n-1 ranks in each.
/// Each rank sends `elements` elements, in the blocks of core/goal.h's all_to_all. Throws
/// InputError unless the wiring is a BCube.
[[nodiscard]] Plan plan(const topologies::Topology& wiring, Rank rank, std::size_t elements);
/// The Plan of rank `rank` with counts[i N + j] elements from rank i to rank j. Throws like the
/// other plan(), and InternalError unless there are N^2 counts.
[[nodiscard]] Plan plan(const topologies::Topology& wiring, Rank rank,
                        std::span<const std::size_t> counts);

/// The time in units of T_F, (n-1)/n, when start-up costs nothing.
[[nodiscard]] double closed_form(std::size_t n);

}  // namespace gradwire::collectives::bcube_all_to_all
