#pragma once

#include <cstddef>

#include "core/plan.h"
#include "topologies/topology.h"

/// Recursive halving and doubling for any number of ranks, in binary blocks (Rabenseifner, Träff,
/// "More Efficient Reduction Algorithms for Non-Power-of-Two Number of Processors in
/// Message-Passing Parallel Systems", EuroPVM/MPI 2004). Gloo's halving and doubling does the same.
///
/// The ranks are cut into blocks of a power of two each, the largest first: one for each 1 among
/// N's binary digits.
///
///     N = 11 = 8 + 2 + 1      0 1 2 3 4 5 6 7    8 9    10
///
/// With K blocks of B_0 > B_1 > ... > B_(K-1) ranks and B_0 = 2^m, in 2m + 2(K-1) steps:
///
///     stage     step              who                what
///     scatter   0 .. m-1          within blocks      halves and adds, as halving_doubling.h does
///     join      K-1 links, from   block i to         what the rank has summed, in parts for the
///               the smallest up   block i-1          ranks that hold these parts: they add them
///     return    K-1 links, from   block i-1 to       the sums of these parts
///               the largest down  block i
///     gather    the last m        within blocks      doubles
///
/// A block joins without waiting for the larger's scatter, so a rank that is alone sends while the
/// others halve, and gets sums while they double; but blocks join one after the other. No port of
/// hosts that have one carries more than twice the gradient, where folding pairs
/// (halving_doubling.h) has some carry nearly four times. On one switch, without start-up times:
///
///                   most loaded port     GST
///     N = 2^m:      2(N-1)/N T_F         the same
///     K = 2:        (2 - 1/B_0) T_F      2 T_F
///     K > 2:        2 T_F                2(1/B_1 + ... + 1/B_(K-1)) T_F: 2 or more, less than 4
///
/// Layout: that of halving_doubling.h in each block, with the elements cut into B_0 parts for all
/// blocks, so that a rank of a smaller block holds whole parts of the larger's.
namespace gradwire::collectives::binary_blocks {

/// The Plan of rank `rank`: one lane of 2m + 2(K-1) steps.
[[nodiscard]] Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements);

/// The load of the most loaded port in one direction, in gradients, of hosts with one port.
[[nodiscard]] double closed_form(std::size_t ranks);

}  // namespace gradwire::collectives::binary_blocks
