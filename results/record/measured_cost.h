#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "schedule/cost.h"

namespace gradwire::record {

/// Measured times of synchronizing some sizes on the testbed, undilated, and the line fitted to
/// them.
struct MeasuredCost {
  std::vector<schedule::TimedSize> points;  ///< by rising size
  schedule::Fit fit;
};

/// Fits a line to the points; through a single point, it is level. Requires at least one point.
[[nodiscard]] MeasuredCost measured_cost(std::vector<schedule::TimedSize> points);

/// The cost model for schedules: the table for those that take any cost, the line for the others.
[[nodiscard]] schedule::CostModel cost_model(const MeasuredCost& cost);

[[nodiscard]] nlohmann::json to_json(const MeasuredCost& cost);
/// Reads to_json's document. Throws nlohmann::json::exception for any other.
[[nodiscard]] MeasuredCost measured_cost_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
