#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// What the page opens with (`Answer` in results/web/src/data.ts): one sentence about all runs, and
/// every comparison of rows with its own. Rows with wrong sums are in none, and the sentence says how
/// many there are. Places of rows are those in their run.
[[nodiscard]] nlohmann::json answer_json(std::span<const record::StoredRun> runs);

}  // namespace gradwire::report
