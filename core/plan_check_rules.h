#pragma once

#include <cstddef>
#include <span>

#include "core/plan.h"
#include "core/plan_check_findings.h"

/// The rules that Plans keep before it makes sense to run them.
namespace gradwire::plan_check {

/// Each rank by itself: extents and peers exist, a step does not use an element in two ways whose
/// order would matter, and lanes do not touch each other's elements.
void check_each_rank(std::span<const Plan> plans, std::size_t elements, Findings& findings);

/// All ranks together: what a step of a lane sends, the same step and lane of its peer receives,
/// with the same extents and ports, and the other way round.
void check_matches(std::span<const Plan> plans, Findings& findings);

}  // namespace gradwire::plan_check
