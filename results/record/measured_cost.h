#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "schedule/cost.h"

namespace gradwire::record {

/// What a synchronization of some sizes took on the testbed, undilated, and the line through it.
struct MeasuredCost {
  std::vector<schedule::TimedSize> points;  ///< by rising size
  schedule::Fit fit;
};

/// Fits the line; through a single point, it is level. Requires at least one point.
[[nodiscard]] MeasuredCost measured_cost(std::vector<schedule::TimedSize> points);

/// The table for schedules that take any cost, the line for those that do not.
[[nodiscard]] schedule::CostModel cost_model(const MeasuredCost& cost);

[[nodiscard]] nlohmann::json to_json(const MeasuredCost& cost);
/// Throws nlohmann::json::exception for what to_json did not make.
[[nodiscard]] MeasuredCost measured_cost_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
