#pragma once

#include <cstddef>
#include <span>

#include "collectives/member.h"
#include "core/plan.h"

/// All-gather and reduce-scatter of any number of members in as few steps as there can be (Bruck,
/// Ho, Kipnis, Upfal, Weathersby, "Efficient Algorithms for All-to-All Communications in Multiport
/// Message-Passing Systems", IEEE TPDS 8(11), 1997, section 4: concatenation with one port).
///
///     5 members        holds before    step 0 (distance 1)    step 1 (2)     step 2 (4)
///     member 0         0               gets 1 from 1          2 3 from 2     4 from 4
///     member 1         1               gets 2 from 2          3 4 from 3     0 from 0
///     ...
///
/// Before step s a member holds the parts of the min(2^s, N) members from its own place on (mod N),
/// and sends the first min(2^s, N - 2^s) of them to the member 2^s places before it. A run of parts
/// that passes the last member is two extents, and so two messages. In a Plan elements have their
/// place from the beginning, so nothing is moved into place at the end.
///
/// The reduce-scatter is the all-gather run backwards (collectives/member.h); Träff, "Optimal,
/// Non-pipelined Reduce-scatter and Allreduce Algorithms", arXiv 2410.14234, 2024, has it with
/// other distances. With parts that are equal, of S bytes together, each takes
///
///     ceil(log2 N) alpha + (N-1)/N T_F,    with T_F = S / link rate.
namespace gradwire::collectives::bruck {

/// The member's Plan for an all-gather: one lane of steps(N) steps. Member i's part has sizes[i]
/// elements, and parts lie in the order of the members from element 0 on.
[[nodiscard]] Plan all_gather(const Member& self, std::span<const std::size_t> sizes);
/// The member's Plan for a reduce-scatter, of the same steps and parts as the all-gather's.
[[nodiscard]] Plan reduce_scatter(const Member& self, std::span<const std::size_t> sizes);

/// The number of steps: ceil(log2 N).
[[nodiscard]] std::size_t steps(std::size_t members);
/// The time of either one in units of T_F, (N-1)/N, when start-up costs nothing, parts are equal
/// and no two messages of a step share a link.
[[nodiscard]] double closed_form(std::size_t members);

}  // namespace gradwire::collectives::bruck
