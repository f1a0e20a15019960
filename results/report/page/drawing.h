#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/plan.h"
#include "results/record/sample.h"
#include "topologies/topology.h"

/// Drawings for the report's page: a wiring, and a Plan that runs over it. results/web/src/data.ts
/// defines their forms.
namespace gradwire::report {

/// Most hosts of a wiring that is drawn.
inline constexpr std::size_t kMostDrawnHosts = 128;
inline constexpr std::size_t kMostDrawnLinks = 1024;
/// Most sends of a Plan that is played step by step.
inline constexpr std::size_t kMostDrawnSends = 20'000;

/// Function that makes the Plans of a configuration's algorithm, by rank, with the whole gradient
/// as one bucket. Throws when the algorithm is not known or has no Plans. The page knows no
/// algorithms, so its caller provides the function (harness/commands/configured_plans.h).
using PlanMaker =
    std::function<std::vector<Plan>(const record::Configuration&, const topologies::Topology&)>;

/// The drawing of a wiring, a `Wiring`. One that cannot be made here has no nodes, and neither has
/// a graph: a folder may come from anywhere, and no file is opened because a folder names it.
[[nodiscard]] nlohmann::json draw_wiring(const record::Configuration& configuration);

/// The drawing of a Plan, a `PlanDrawing`: the sends of the configuration's algorithm when the
/// whole gradient is one bucket; null where the wiring is not drawn or the algorithm is not known.
[[nodiscard]] nlohmann::json draw_plan(const record::Configuration& configuration,
                                       const PlanMaker& plans);

}  // namespace gradwire::report
