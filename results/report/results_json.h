#pragma once

#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "results/record/gain_query.h"
#include "results/record/row.h"

namespace gradwire::report {

/// The content of results.json (results/schema/results.schema.json): a run's table for programs,
/// and the gains that its experiment asks for.
[[nodiscard]] nlohmann::json results_json(std::span<const record::Row> rows,
                                          const std::optional<record::GainQuery>& query);

}  // namespace gradwire::report
