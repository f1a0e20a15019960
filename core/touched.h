#pragma once

#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/plan.h"

namespace gradwire {

/// The elements that a rank needs memory for: those it begins or ends with, and those that its Plan
/// sends or receives. Ascending and apart. In an all-to-all of N ranks they are 2/N of all
/// elements, plus those passed on for others.
[[nodiscard]] std::vector<Extent> touched(const Goal& goal, Rank rank, const Plan& plan);

}  // namespace gradwire
