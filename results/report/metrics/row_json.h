#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/record/row.h"

namespace gradwire::report {

/// A row as results.json and the page have it: times in microseconds (*_us), rates in 1e9 B/s
/// (*_gbs). What the row lacks is null; an object of which everything is missing is null itself.
[[nodiscard]] nlohmann::json row_json(const record::Row& row);

}  // namespace gradwire::report
