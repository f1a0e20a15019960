#pragma once

#include <cstddef>
#include <span>

#include "collectives/member.h"
#include "core/plan.h"

/// All-gather by recursive doubling and reduce-scatter by recursive halving, for a power of two of
/// members (Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
/// MPICH", IJHPCA 19(1), 2005, sections 4.1 and 4.4).
///
///     8 members       step 0            step 1                step 2
///     all-gather      i <-> i xor 1     i <-> i xor 2         i <-> i xor 4
///     each sends      its part          the 2 parts it has    the 4 parts it has
///
/// In step s of the all-gather a member trades all it has, the parts of the 2^s members whose places
/// agree with its own but for the last s bits, for as many of the member whose place differs in bit s.
/// The reduce-scatter is the all-gather run backwards (collectives/member.h): halves, then quarters,
/// and so on. collectives/halving_doubling.h makes an all-reduce of the same idea, its pairs at
/// distance 1 first, with parts that do not lie in the order of the ranks. With parts that are equal,
/// of S bytes together, each takes
///
///     log2 N alpha + (N-1)/N T_F,    with T_F = S / link rate.
namespace gradwire::collectives::doubling {

/// The member's Plan for an all-gather: one lane of log2 N steps. Member i's part has sizes[i]
/// elements, and parts lie in the order of the members from element 0 on. Throws InputError unless
/// the members are a power of two.
[[nodiscard]] Plan all_gather(const Member& self, std::span<const std::size_t> sizes);
/// The member's Plan for a reduce-scatter, of the same steps and parts as the all-gather's. Throws
/// the same.
[[nodiscard]] Plan reduce_scatter(const Member& self, std::span<const std::size_t> sizes);

/// The number of steps: log2 N. Requires a power of two.
[[nodiscard]] std::size_t steps(std::size_t members);
/// The time of either one in units of T_F, (N-1)/N, when start-up costs nothing, parts are equal
/// and no two pairs of a step share a link.
[[nodiscard]] double closed_form(std::size_t members);

}  // namespace gradwire::collectives::doubling
