#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace gradwire::report {

/// The JSON Schema (draft-07) of a row of results.json, made from the metrics.
[[nodiscard]] nlohmann::ordered_json row_schema();

/// The text of results/schema/results.schema.json with row_schema() in it. `make schema` writes it.
[[nodiscard]] std::string results_schema();

}  // namespace gradwire::report
