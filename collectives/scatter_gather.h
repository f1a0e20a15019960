#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/plan.h"

/// Broadcast as a scatter and an all-gather, and reduction as a reduce-scatter and a gather (Thakur,
/// Rabenseifner, Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1),
/// 2005, sections 4.2 and 4.5, after van de Geijn).
///
///     broadcast    binomial scatter      the root deals a part to every member    ceil(log2 N) steps
///                  ring all-gather       every member passes all parts on         N-1 steps
///     reduction    ring reduce-scatter   every member sums its part               N-1 steps
///                  binomial gather       the root collects the parts              ceil(log2 N) steps
///
/// Parts are those of collectives/binomial.h. Each takes, for S bytes,
///
///     (ceil(log2 N) + N-1) alpha + 2(N-1)/N T_F,    with T_F = S / link rate.
namespace gradwire::collectives::scatter_gather {

/// The member's Plan for a broadcast: one lane of steps(N) steps. The root is a place of the group.
/// Requires root < members.
[[nodiscard]] Plan broadcast(const Member& self, std::size_t elements, std::size_t root);
/// The member's Plan for a reduction: one lane of steps(N) steps. The root is a place of the group.
/// Requires root < members.
[[nodiscard]] Plan reduce(const Member& self, std::size_t elements, std::size_t root);

/// The number of steps: ceil(log2 N) + N-1.
[[nodiscard]] std::size_t steps(std::size_t members);
/// The time of either one in units of T_F, 2(N-1)/N, when start-up costs nothing and no two
/// messages of a step share a link.
[[nodiscard]] double closed_form(std::size_t members);

}  // namespace gradwire::collectives::scatter_gather
