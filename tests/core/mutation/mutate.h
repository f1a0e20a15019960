#pragma once

#include <vector>

#include "core/plan.h"
#include "tests/core/mutation/random_plans.h"

namespace gradwire::mutation {

/// Changes one thing at random, at one end of a transfer or at both: a transfer is dropped, doubled,
/// moved to another step, given another extent or another way to combine, or two transfers swap
/// steps, extents or receivers. The result may be right or wrong. Does nothing to Plans without
/// transfers.
void mutate(std::vector<Plan>& plans, Dice& dice);

}  // namespace gradwire::mutation
