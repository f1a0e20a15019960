#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/record/row.h"

/// Results as JSON: times in microseconds (*_us), rates in 1e9 B/s (*_gbs). What is read must be
/// what was written, with fields to spare; nlohmann::json::exception otherwise.
namespace gradwire::record {

[[nodiscard]] nlohmann::json to_json(const Configuration& configuration);
[[nodiscard]] Configuration configuration_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const WiringCost& wiring);
[[nodiscard]] WiringCost wiring_cost_from_json(const nlohmann::json& json);

[[nodiscard]] nlohmann::json to_json(const TrainingPlan& plan);
[[nodiscard]] TrainingPlan training_plan_from_json(const nlohmann::json& json);

/// One element of results.json's "rows".
[[nodiscard]] nlohmann::json to_json(const Row& row);

}  // namespace gradwire::record
