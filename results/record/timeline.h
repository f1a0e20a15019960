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

/// Timelines of iterations: what every rank did, send by send. Each is a line of timelines.ndjson.
namespace gradwire::record {

/// Most transfers of Plans whose timeline keeps them.
inline constexpr std::size_t kMostTransfers = 20'000;
/// Most transfers and buckets of all ranks that are kept of an iteration: about 100 kB.
inline constexpr std::size_t kMostSpans = 2'000;
/// Most transfers and buckets that are kept in evidence, see copy_evidence: about 8 kB.
inline constexpr std::size_t kMostSpansOfEvidence = 250;

struct Timeline {
  std::string key;  ///< key of the point
  std::size_t attempt = 0;
  std::size_t iteration = 0;  ///< number from 0, warm-up iterations first
  bool warmup = false;
  double dilation = 1;
  std::vector<RankIteration> ranks;  ///< by rank, see first_ranks; starts and ends on one clock
};

/// Converts a timeline. Times are wall times in nanoseconds since the first rank's start; those of
/// transfers since their own rank's start.
[[nodiscard]] nlohmann::json to_json(const Timeline& timeline);
/// Reads to_json's document and skips unknown fields. Throws nlohmann::json::exception or
/// InternalError for any other.
[[nodiscard]] Timeline timeline_from_json(const nlohmann::json& json);

/// Reads a line of timelines.ndjson. Throws StoreError that says what is wrong with the line.
[[nodiscard]] Timeline timeline_of_line(std::string_view line);

/// Selects the ranks to keep: the first one, and as many more as have `most_spans` together. Drops
/// what the sample has or nobody needs: the share of fully connected layers, the time that a
/// process stood still, and events on links.
[[nodiscard]] std::vector<RankIteration> first_ranks(std::vector<RankIteration> ranks,
                                                     std::size_t most_spans = kMostSpans);

/// Counts the sends and receives of all ranks' Plans.
[[nodiscard]] std::size_t count_transfers(std::span<const Plan> plans);

}  // namespace gradwire::record
