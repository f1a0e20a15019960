#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/units.h"
#include "results/record/rank_iteration.h"

/// What every rank did in one iteration, send by send: a line of timelines.ndjson.
namespace gradwire::record {

/// Plans with more transfers are kept without them.
inline constexpr std::size_t kMostTransfers = 20'000;
/// Transfers and buckets of all ranks that are kept of an iteration: about 100 kB.
inline constexpr std::size_t kMostSpans = 2'000;
/// The same of a run that others read as evidence, see copy_evidence: about 8 kB.
inline constexpr std::size_t kMostSpansOfEvidence = 250;

struct Timeline {
  std::string key;  ///< of the point
  std::size_t attempt = 0;
  std::size_t iteration = 0;  ///< from 0, warm-up iterations first
  bool warmup = false;
  double dilation = 1;
  std::vector<RankIteration> ranks;  ///< by rank, see first_ranks; starts and ends on one clock
};

/// Times in nanoseconds as the clock saw them, since the first rank's start; of transfers, since
/// their own rank's start.
[[nodiscard]] nlohmann::json to_json(const Timeline& timeline);
/// Throws nlohmann::json::exception or InternalError for what to_json did not make; skips fields it
/// does not know.
[[nodiscard]] Timeline timeline_from_json(const nlohmann::json& json);

/// Reads a line of timelines.ndjson. Throws StoreError that says what is wrong with it.
[[nodiscard]] Timeline timeline_of_line(std::string_view line);

/// The ranks that are kept: the first one, and as many more as have `most_spans` together. Without
/// what is in the sample or nowhere: the share of fully connected layers, how long a process stood
/// still, and what happened to links.
[[nodiscard]] std::vector<RankIteration> first_ranks(std::vector<RankIteration> ranks,
                                                     std::size_t most_spans = kMostSpans);

/// The sends and receives of all ranks' Plans.
[[nodiscard]] std::size_t count_transfers(std::span<const Plan> plans);

}  // namespace gradwire::record
