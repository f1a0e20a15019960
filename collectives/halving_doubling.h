#pragma once

#include <cstddef>

#include "core/plan.h"
#include "topologies/topology.h"

/// Recursive halving and doubling (Rabenseifner, "Optimization of Collective Reduction Operations",
/// ICCS 2004; Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
/// MPICH", IJHPCA 2005).
///
///     0 ─── 1     2 ─── 3     4 ─── 5     6 ─── 7      step 0, distance 1: halves
///     0 ───────── 2           4 ───────── 6  ...       step 1, distance 2: quarters
///     0 ───────────────────── 4              ...       step 2, distance 4: eighths
///
/// With P = 2^m ranks, in step s of 2m:
///
///     stage           step           trades with    sends                          which the other
///     reduce-scatter  j = 0 .. m-1   rank xor 2^j   the other's half of what it    adds
///                                                   still holds
///     all-gather      j = m-1 .. 0   rank xor 2^j   the sums that it holds         puts in place
///
/// The vector halves while the distance doubles, so the largest messages travel the shortest way.
/// Layout: rank q's part lies in slot (q's bits reversed), which makes everything traded one
/// extent.
///
/// N not a power of two: with P the largest below it and r = N - P, each even rank of the first 2r
/// first sends all it has to the odd rank after it and in the end gets the sums back; the P others
/// synchronize. That adds two steps of a whole gradient each, for which partners wait, and in turn
/// the ranks that trade with them. binary_blocks.h takes two thirds of that at most.
///
///     N = 2^m:    GST = 2 log2(N) alpha + 2(N-1)/N T_F
///     otherwise:  GST is at least (2 log2(P) + 2) alpha + (2(P-1)/P + 2) T_F
namespace gradwire::collectives::halving_doubling {

/// The Plan of rank `rank`: one lane of 2m steps, two more when N is not a power of two.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements);

/// GST in units of T_F when start-up costs nothing and no two pairs share a link: 2(N-1)/N. For
/// other N it is the load of the busiest port, 2(P-1)/P + 2, which is less than GST.
[[nodiscard]] double closed_form(std::size_t ranks);

}  // namespace gradwire::collectives::halving_doubling
