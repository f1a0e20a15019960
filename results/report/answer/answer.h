#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// The opening of the page (`Answer` in results/web/src/data.ts): one sentence about all runs, and
/// every comparison of rows with its own sentence. Rows with wrong sums are in none, and the
/// sentence says how many there are. Rows are given by index in their run.
[[nodiscard]] nlohmann::json answer_json(std::span<const record::StoredRun> runs);

}  // namespace gradwire::report
