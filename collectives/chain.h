#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/plan.h"

/// Broadcast and reduction along a chain, piece by piece (Sanders, Speck, Träff, "Two-tree algorithms
/// for full bandwidth broadcast, reduction and scan", Parallel Computing 35, 2009, section 1, call
/// it the linear pipeline).
///
///     P pieces       step 0          step 1                     step 2
///     4 members      0 ─[0]─> 1      0 ─[1]─> 1 ─[0]─> 2        0 ─[2]─> 1 ─[1]─> 2 ─[0]─> 3
///
/// Members are numbered along the wiring's first ring (Topology::ring_place), the root being 0. In
/// step p + i member i sends piece p to member i + 1. The reduction is the broadcast run backwards
/// (collectives/member.h): sums flow towards the root. Each takes, for S bytes,
///
///     (N-2+P) (alpha + T_F/P),    with T_F = S / link rate.
namespace gradwire::collectives::chain {

struct Options {
  std::size_t root = 0;    ///< place of the root in the group
  std::size_t pieces = 8;  ///< P; at least 1. Limited to the number of elements
};

/// The member's Plan for a broadcast: one lane of N-2+P steps, none for one member. Throws
/// InputError when `options.pieces` is 0. Requires options.root < members.
[[nodiscard]] Plan broadcast(const Member& self, std::size_t elements, const Options& options = {});
/// The member's Plan for a reduction, of the same steps as the broadcast's. Requires and throws the
/// same.
[[nodiscard]] Plan reduce(const Member& self, std::size_t elements, const Options& options = {});

/// The number of steps: N-2+P; 0 for one member.
[[nodiscard]] std::size_t steps(std::size_t members, std::size_t pieces);
/// The time of either one in units of T_F, (N-2+P)/P, when start-up costs nothing and no two
/// neighbours share a link; 0 for one member.
[[nodiscard]] double closed_form(std::size_t members, std::size_t pieces);

}  // namespace gradwire::collectives::chain
