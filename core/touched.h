#pragma once

#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/plan.h"

namespace gradwire {

/// The elements that a rank needs memory for: what it begins or ends with, and what its Plan sends
/// or receives. Ascending and apart. In an all-to-all of N ranks that is 2/N of all elements, and what
/// is passed on for others.
[[nodiscard]] std::vector<Extent> touched(const Goal& goal, Rank rank, const Plan& plan);

}  // namespace gradwire
