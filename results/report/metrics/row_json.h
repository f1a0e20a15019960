#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/record/row.h"

namespace gradwire::report {

/// A row for results.json and the page: times in microseconds (*_us), rates in 1e9 B/s (*_gbs). A
/// missing value is null; an object without any value is null itself.
[[nodiscard]] nlohmann::json row_json(const record::Row& row);

}  // namespace gradwire::report
