#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "harness/store/stored_run.h"

/// What the report's page is given.
namespace gradwire::harness {

/// More samples in all are thinned out, evenly.
inline constexpr std::size_t kMostPageSamples = 1'200'000;

/// Reads the folders, two at a time, in their order. Throws InputError as read_run does.
[[nodiscard]] std::vector<StoredRun> read_runs(std::span<const std::filesystem::path> folders);

/// A `ReportData` (results/web/src/data.ts). Reads the runs' timelines from their folders; what is
/// wrong with those is added to the runs' problems in the result.
[[nodiscard]] nlohmann::json page_data(std::span<const StoredRun> runs,
                                       std::chrono::system_clock::time_point now);

}  // namespace gradwire::harness
