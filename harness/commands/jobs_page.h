#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/commands/jobs_text.h"

namespace gradwire::commands {

/// Makes the data of the report's page (results/web/src/data.ts) for jobs on one wiring, at least
/// one: how long each takes alone and beside the others, on every backing. `notes` are about the
/// measurements.
[[nodiscard]] nlohmann::json jobs_page_data(std::span<const RanJobs> ran,
                                            const std::vector<std::string>& notes);

}  // namespace gradwire::commands
