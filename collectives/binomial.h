#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/goal.h"
#include "core/plan.h"

/// Broadcast and reduction along a binomial tree (Thakur, Rabenseifner, Gropp, "Optimization of
/// Collective Communication Operations in MPICH", IJHPCA 19(1), 2005, sections 4.2 and 4.5).
///
///     8 members, root 0      step 0     0 ──────────> 4
///                            step 1     0 ────> 2     4 ────> 6
///                            step 2     0 ─> 1  2 ─> 3  4 ─> 5  6 ─> 7
///
/// Members are numbered from the root on: v = place - root (mod N). With D = ceil(log2 N) steps,
/// member v receives from v minus its lowest bit 2^l in step D-1-l, and sends on to v + 2^j for
/// every j < l. The reduction is the broadcast run backwards (collectives/member.h). Each takes,
/// for S bytes,
///
///     ceil(log2 N) (alpha + T_F),    with T_F = S / link rate.
///
/// A *scatter* uses the same tree, for members that want their own part only: v + 2^j gets only the
/// parts of its branch, the members v + 2^j to v + 2^(j+1) - 1. A gather is a scatter run
/// backwards. Of S bytes in equal parts each takes ceil(log2 N) alpha + (N-1)/N T_F.
namespace gradwire::collectives::binomial {

/// The member's Plan for a broadcast: one lane of steps(N) steps. The root is a place of the group.
/// Requires root < members.
[[nodiscard]] Plan broadcast(const Member& self, std::size_t elements, std::size_t root);
/// The member's Plan for a reduction: one lane of steps(N) steps. The root is a place of the group.
/// Requires root < members.
[[nodiscard]] Plan reduce(const Member& self, std::size_t elements, std::size_t root);

/// The parts of a scatter or gather, by place: part() cuts the elements, in the order of the
/// members from the root on. Requires root < members.
[[nodiscard]] Parts parts(std::size_t members, std::size_t elements, std::size_t root);
/// The member's Plan for a scatter: the root begins with all elements and hands every member its
/// part (see parts()). One lane of steps(N) steps. Requires root < members.
[[nodiscard]] Plan scatter(const Member& self, std::size_t elements, std::size_t root);
/// The member's Plan for a gather: every member begins with its part, and the root ends with all
/// elements. One lane of steps(N) steps. Requires root < members.
[[nodiscard]] Plan gather(const Member& self, std::size_t elements, std::size_t root);

/// The number of steps: ceil(log2 N).
[[nodiscard]] std::size_t steps(std::size_t members);
/// The time of a broadcast or reduction in units of T_F, ceil(log2 N), when start-up costs nothing
/// and no two messages of a step share a link.
[[nodiscard]] double closed_form(std::size_t members);
/// The time of a scatter or gather of equal parts in units of T_F, (N-1)/N, under the same
/// conditions.
[[nodiscard]] double scatter_closed_form(std::size_t members);

}  // namespace gradwire::collectives::binomial
