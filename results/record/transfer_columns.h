#pragma once

#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/rank_iteration.h"

/// Transfers of a rank in a line of timelines.ndjson.
namespace gradwire::record {

/// Version of a timeline's line since its transfers are in columns.
inline constexpr int kTimelineVersion = 2;

/// Encodes transfers column by column, in their order: a list, or one number where all are equal.
/// This takes half of the bytes of one transfer after the other. `lasts_ns` is from posted to done.
/// Without transfers there is an empty list instead of columns.
///
///     {"bucket": 0, "lane": 0, "step": [0, 0, 1, 1], "sends": [1, 0, 1, 0], ...,
///      "posted_ns": [538, 677, 247216, 741], "lasts_ns": [4575, 246378, 7697, 254335]}
[[nodiscard]] nlohmann::json transfer_columns(std::span<const TracedTransfer> transfers);

/// Reads columns, or the rows of version 1's lines. Throws nlohmann::json::exception or
/// InternalError for anything else.
[[nodiscard]] std::vector<TracedTransfer> transfers_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
