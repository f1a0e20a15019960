#pragma once

#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "harness/commands/job_text.h"

namespace gradwire::commands {

/// Nodes of a job's ranks beyond so many are not drawn; the first ranks are.
inline constexpr std::size_t kMostPageNodes = 40'000;

/// The document of the report's page (results/web/src/data.ts) of a job's last iteration: what the
/// streams of each rank do, how long its groups are in collectives, and the critical path, on every
/// backing.
[[nodiscard]] nlohmann::json job_page_data(const RanJob& ran);

}  // namespace gradwire::commands
