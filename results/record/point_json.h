#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "results/record/row.h"

/// JSON of points, for lines of points.ndjson and samples.ndjson; times are in microseconds (*_us).
/// Readers skip unknown fields, and throw nlohmann::json::exception for a document that was not
/// written here.
namespace gradwire::record {

/// The value as JSON, or null without one.
template <class Value>
[[nodiscard]] nlohmann::json or_null(const std::optional<Value>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

[[nodiscard]] nlohmann::json to_json(const Configuration& configuration);
[[nodiscard]] Configuration configuration_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const WiringCost& wiring);
[[nodiscard]] WiringCost wiring_cost_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const TrainingPlan& plan);
[[nodiscard]] TrainingPlan training_plan_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
