#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/goal.h"
#include "core/plan.h"

namespace gradwire {

/// Proves that the Plans of all ranks, run together, reach a goal.
///
/// `plans[r]` is rank r's. The checker runs them symbolically in lockstep: it follows which ranks'
/// contributions every element of every rank holds. It reports
///   - a send without the receive of the same extent and ports in the same lane and step of its
///     peer, and the other way round;
///   - an extent beyond the elements, or empty; a peer that does not exist or is the rank itself;
///   - an extent that one step of a lane both sends and receives, or replaces and receives twice;
///   - an element that one lane writes and another lane touches;
///   - an element that a rank sends and of which it holds nothing;
///   - a contribution added to a sum that already holds it;
///   - of every rank the first element with which it must end, and which ends without exactly one
///     contribution of every rank that began with it: whose it holds, and whose it lacks.
///
/// Returns the findings, one sentence each, naming rank, lane, step and elements; empty means
/// proven. At most 20 findings are listed. Time grows with the transfers; memory and time with the
/// distinct extent bounds, for each the ranks that touch the elements times those that begin with
/// them: an all-reduce of N ranks N^2 bits for each, an all-to-all 2 N^2 words in all. Requires as
/// many Plans as the goal has ranks, and a goal whose extents lie within its elements.
[[nodiscard]] std::vector<std::string> check_plans(std::span<const Plan> plans, const Goal& goal);
/// Proves that the Plans of all ranks reach an all-reduce of `elements` elements to which every
/// rank contributes.
[[nodiscard]] std::vector<std::string> check_plans(std::span<const Plan> plans,
                                                   std::size_t elements);

}  // namespace gradwire
