#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/plan.h"

namespace gradwire {

/// Proves that the Plans of all ranks, run together, synchronize `elements` elements.
///
/// `plans[r]` is rank r's. The checker runs them symbolically in lockstep: it follows which ranks'
/// contributions every element of every rank holds. It reports
///   - a send without the receive of the same extent and ports in the same lane and step of its
///     peer, and the other way round;
///   - an extent beyond the elements, or empty; a peer that does not exist or is the rank itself;
///   - an extent that one step of a lane both sends and receives, or replaces and receives twice;
///   - an element that one lane writes and another lane touches;
///   - a contribution added to a sum that already holds it;
///   - an element of a worker that ends without exactly one contribution of every worker.
///
/// Returns what is wrong, one sentence each, naming rank, lane, step and elements; empty means
/// proven. At most 20 findings are listed. Time and memory grow as ranks^2 x distinct extent
/// bounds.
[[nodiscard]] std::vector<std::string> check_plans(std::span<const Plan> plans,
                                                   std::size_t elements);

}  // namespace gradwire
