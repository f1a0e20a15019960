#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "harness/report/sample.h"

/// What the report's page draws of a wiring, and of a Plan that runs over it. The forms are those
/// of results/web/src/data.ts.
namespace gradwire::harness {

/// Larger wirings are not drawn.
inline constexpr std::size_t kMostDrawnHosts = 128;
inline constexpr std::size_t kMostDrawnLinks = 1024;
/// Plans with more sends are not played step by step.
inline constexpr std::size_t kMostDrawnSends = 20'000;

/// A `Wiring`. One that cannot be made here (a graph whose file is elsewhere) has no nodes.
[[nodiscard]] nlohmann::json draw_wiring(const Configuration& configuration);

/// A `PlanDrawing`: what the configuration's algorithm sends when the whole gradient is one bucket;
/// null where the wiring is not drawn or the algorithm is not known.
[[nodiscard]] nlohmann::json draw_plan(const Configuration& configuration);

}  // namespace gradwire::harness
