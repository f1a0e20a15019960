#pragma once

#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/rank_iteration.h"

/// The transfers of a rank in a line of timelines.ndjson.
namespace gradwire::record {

/// The version of a timeline's line since its transfers stand in columns.
inline constexpr int kTimelineVersion = 2;

/// Column by column, in the transfers' order: a list, or where all are alike that one number. Half
/// of what a transfer after the other takes. `lasts_ns` is from posted to done. Where there are no
/// transfers, an empty list instead of columns.
///
///     {"bucket": 0, "lane": 0, "step": [0, 0, 1, 1], "sends": [1, 0, 1, 0], ...,
///      "posted_ns": [538, 677, 247216, 741], "lasts_ns": [4575, 246378, 7697, 254335]}
[[nodiscard]] nlohmann::json transfer_columns(std::span<const TracedTransfer> transfers);

/// Reads columns, or the rows that lines of version 1 have. Throws nlohmann::json::exception or
/// InternalError for anything else.
[[nodiscard]] std::vector<TracedTransfer> transfers_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
