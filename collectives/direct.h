#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/goal.h"
#include "core/plan.h"

/// Direct sends of each element from its beginners to its enders, for any goal but an all-reduce,
/// in one step or with one partner at a time.
///
///     one step       0 ──┬──> 1      every member sends each other one what that ends with and
///                        ├──> 2      itself begins with, all at once
///                        └──> 3
///
///     pairwise       step s = 1 .. N-1: member i sends to i + s and receives from i - s (mod N)
///                    (Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication
///                    Operations in MPICH", IJHPCA 19(1), 2005, sections 4.3 and 4.4)
///
/// Arrivals are added if several members begin with the element, and otherwise put in place.
/// Nothing travels twice, so goals that only move elements cost the fewest bytes possible. Both
/// ways take the times below, where S are the bytes that a member begins with (all-to-all, send,
/// broadcast, reduce) or those of all parts together (all-gather, reduce-scatter), and T_F = S /
/// link rate:
///
///     goal                                     one step                pairwise
///     all-gather, reduce-scatter, all-to-all   alpha + (N-1)/N T_F     (N-1) (alpha + T_F/N)
///     broadcast, reduce                        alpha + (N-1) T_F       (N-1) (alpha + T_F)
///     send                                     alpha + T_F             alpha + T_F
///
/// In one step N-1 messages arrive at a port at once; pairwise every port has one partner.
namespace gradwire::collectives::direct {

/// The member's Plan in one step, of one lane. The goal's ranks are the group's members. Throws
/// InternalError for a goal in which a member would have to send and receive the same element, as
/// in an all-reduce.
[[nodiscard]] Plan plan(const Member& self, const Goal& goal);
/// The member's pairwise Plan: one lane of N-1 steps. Requires and throws like plan().
[[nodiscard]] Plan pairwise(const Member& self, const Goal& goal);

}  // namespace gradwire::collectives::direct
