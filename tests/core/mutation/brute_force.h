#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/goal.h"
#include "core/plan.h"
#include "tests/core/mutation/random_plans.h"

/// The meaning of Plans as core/plan.h has it, followed element by element: no sets, no runs of
/// elements, no lockstep. Knows nothing of the checker.
///
/// A send meets the receive of the same extent and ports in the same step of the same lane of its
/// peer. A transfer waits for those of earlier steps of its lane that touch the same elements, in
/// the three cases in which their order matters, and for nothing else. Any order that keeps these
/// waits may happen; the brute force runs the Plans in several of them, with a counter per element
/// and contributor.
namespace gradwire::mutation {

inline constexpr std::size_t kMostRanks = 8;  ///< a value has a byte for each

/// Why the Plans do not reach the goal in some order, in a word or two, or nothing:
///   "bounds"      an extent is empty or beyond the elements, or a peer is no other rank
///   "unmet"       a send or a receive waits for its other end for ever
///   "race"        nothing orders two transfers of a rank that touch an element, and one writes
///                 there; additions of one lane may meet
///   "nothing"     an element is sent that holds nobody's contribution
///   "twice"       an element comes to hold a contribution twice
///   "incomplete"  an element ends without its sum
/// Requires at most kMostRanks ranks, and `orders` > 0.
[[nodiscard]] std::string why_wrong(std::span<const Plan> plans, const Goal& goal,
                                    std::size_t orders, Dice& dice);

}  // namespace gradwire::mutation
