#pragma once

#include <vector>

#include "core/plan.h"
#include "results/record/sample.h"
#include "topologies/topology.h"

namespace gradwire::commands {

/// The Plans of a stored configuration's algorithm, by rank, with the whole gradient as one bucket:
/// what a report draws of it. Throws InputError for an algorithm that is unknown or has no Plans, for
/// one of a file, which may be any where the run comes from elsewhere, and before any is made for
/// Plans too large to be drawn.
[[nodiscard]] std::vector<Plan> configured_plans(const record::Configuration& configuration,
                                                 const topologies::Topology& topology);

}  // namespace gradwire::commands
