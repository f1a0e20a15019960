#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/goal.h"
#include "core/plan.h"

/// A ring that passes parts on: the two halves of ringallreduce/, for parts of any size and groups
/// of any ranks (Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations
/// in MPICH", IJHPCA 19(1), 2005, section 4.1).
///
///          ┌──> 0 ──> 1 ──> 2 ──> 3 ──> 4 ──┐      each member sends to its right neighbour only,
///          └────────────────────────────────┘      and receives from its left neighbour only
///
/// In step s of N-1 the member at place i of the ring (mod N)
///
///     collective       sends the part of    receives that of    which it
///     all-gather       i - s                i - s - 1           puts in place
///     reduce-scatter   i - s - 1            i - s - 2           adds
///
/// Members stand in the order that the wiring suggests (Topology::ring_place). An all-gather of
/// parts that are equal, of S bytes together, and a reduce-scatter take
///
///     (N-1) (alpha + T_F/N),    with alpha the start-up time of a step and T_F = S / link rate.
namespace gradwire::collectives::ring {

/// The member's Plan for an all-gather: one lane of N-1 steps. parts[i] are the elements of the
/// group's member i; an extent travels as a message of its own.
[[nodiscard]] Plan all_gather(const Member& self, const Parts& parts);
/// The member's Plan for a reduce-scatter, of the same steps and parts as the all-gather's.
[[nodiscard]] Plan reduce_scatter(const Member& self, const Parts& parts);

/// The number of steps: N-1.
[[nodiscard]] std::size_t steps(std::size_t members);
/// The time of either one in units of T_F, (N-1)/N, when start-up costs nothing, parts are equal
/// and no two neighbours share a link.
[[nodiscard]] double closed_form(std::size_t members);

}  // namespace gradwire::collectives::ring
