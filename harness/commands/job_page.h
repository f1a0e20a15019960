#pragma once

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "harness/commands/job_text.h"

namespace gradwire::commands {

/// Most nodes of a job's ranks that are drawn; the first ranks are.
inline constexpr std::size_t kMostPageNodes = 40'000;

/// Makes the data of the report's page (results/web/src/data.ts) for a job's last iteration: the
/// streams of each rank, the time that its groups are in collectives, and the critical path, on
/// every backing.
[[nodiscard]] nlohmann::json job_page_data(const RanJob& ran);

}  // namespace gradwire::commands
