#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "results/record/row.h"

/// What is known of a point as JSON, for lines of points.ndjson and samples.ndjson: times in
/// microseconds (*_us). Reading skips fields that it does not know, and throws
/// nlohmann::json::exception for what was not written here.
namespace gradwire::record {

/// The value, or JSON's null without one.
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
