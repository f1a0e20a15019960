#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/plan.h"
#include "results/record/sample.h"
#include "topologies/topology.h"

/// What the report's page draws of a wiring, and of a Plan that runs over it. The forms are those
/// of results/web/src/data.ts.
namespace gradwire::report {

/// Larger wirings are not drawn.
inline constexpr std::size_t kMostDrawnHosts = 128;
inline constexpr std::size_t kMostDrawnLinks = 1024;
/// Plans with more sends are not played step by step.
inline constexpr std::size_t kMostDrawnSends = 20'000;

/// Makes the Plans of a configuration's algorithm, by rank, with the whole gradient as one bucket.
/// Throws when the algorithm is not known or has no Plans. The page knows no algorithms; whoever
/// asks for it does (harness/commands/configured_plans.h).
using PlanMaker =
    std::function<std::vector<Plan>(const record::Configuration&, const topologies::Topology&)>;

/// A `Wiring`. One that cannot be made here has no nodes, and neither has a graph: a folder may
/// come from anywhere, and no file is opened because a folder names it.
[[nodiscard]] nlohmann::json draw_wiring(const record::Configuration& configuration);

/// A `PlanDrawing`: what the configuration's algorithm sends when the whole gradient is one bucket;
/// null where the wiring is not drawn or the algorithm is not known.
[[nodiscard]] nlohmann::json draw_plan(const record::Configuration& configuration,
                                       const PlanMaker& plans);

}  // namespace gradwire::report
