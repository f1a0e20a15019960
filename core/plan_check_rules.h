#pragma once

#include <cstddef>
#include <span>

#include "core/plan.h"
#include "core/plan_check_findings.h"

/// The rules that Plans must keep before it makes sense to run them.
namespace gradwire::plan_check {

/// Checks each rank by itself: extents and peers exist, a step does not use an element in two ways
/// whose order would matter, and lanes do not touch each other's elements.
void check_each_rank(std::span<const Plan> plans, std::size_t elements, Findings& findings);

/// Checks all ranks together: every send of a step of a lane has its receive in the same step and
/// lane of its peer, with the same extents and ports, and the other way round.
void check_matches(std::span<const Plan> plans, Findings& findings);

}  // namespace gradwire::plan_check
