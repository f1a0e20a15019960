#pragma once

#include <span>

#include "core/goal.h"
#include "core/plan.h"
#include "core/plan_check_findings.h"

namespace gradwire::plan_check {

/// Runs the Plans symbolically: for every element of every rank it follows whose contributions the
/// element holds. Finds sends of elements that hold nothing, contributions that are added twice,
/// and for every rank the first element that ends without a contribution. Requires goal.elements >
/// 0, and Plans in which check_each_rank() and check_matches() found nothing.
void check_sums(std::span<const Plan> plans, const Goal& goal, Findings& findings);

}  // namespace gradwire::plan_check
