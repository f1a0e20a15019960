#include "results/record/timeline.h"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/schemas.h"
#include "core/text/whole_number.h"
#include "results/record/ndjson.h"
#include "results/record/store_error.h"
#include "results/record/transfer_columns.h"

namespace gradwire::record {
namespace {

using nlohmann::json;

/// Shifts the times that are on the common clock, whose origin is arbitrary.
void shift(RankIteration& rank, Nanoseconds by) {
  rank.start -= by;
  rank.end -= by;
  if (!rank.training) return;
  rank.training->compute_end -= by;
  for (RankBucket& bucket : rank.training->buckets) {
    bucket.ready -= by;
    bucket.start -= by;
    bucket.end -= by;
  }
}

}  // namespace

json to_json(const Timeline& timeline) {
  Nanoseconds origin = Nanoseconds::max();
  for (const RankIteration& rank : timeline.ranks) origin = std::min(origin, rank.start);
  json ranks = json::array();
  for (RankIteration rank : timeline.ranks) {
    shift(rank, origin);
    json entry = to_json(rank);
    entry["transfers"] = transfer_columns(rank.transfers);
    ranks.push_back(std::move(entry));
  }
  return {{"key", timeline.key},
          {"session", timeline.attempt},
          {"iteration", timeline.iteration},
          {"warmup", timeline.warmup},
          {"dilation", timeline.dilation},
          {"ranks", std::move(ranks)}};
}

Timeline timeline_from_json(const json& value) {
  Timeline timeline{.key = value.at("key"),
                    .attempt = text::whole_number<std::size_t>(value.at("session")),
                    .iteration = text::whole_number<std::size_t>(value.at("iteration")),
                    .warmup = value.at("warmup"),
                    .dilation = value.at("dilation")};
  for (const json& entry : value.at("ranks")) {
    RankIteration rank = rank_iteration_from_json(entry);
    rank.transfers = transfers_from_json(entry.at("transfers"));
    timeline.ranks.push_back(std::move(rank));
  }
  return timeline;
}

Timeline timeline_of_line(std::string_view line) {
  const json document = sealed_document(line, kTimelineVersion);
  try {
    Timeline timeline = timeline_from_json(document);
    if (timeline.dilation >= 1) return timeline;
    throw StoreError("is not a timeline: its dilation is below 1");
  } catch (const json::exception&) {
    require_valid(document, text::shared_checker(text::schema("timeline")), "timeline");
    throw StoreError("is not a timeline");
  } catch (const InternalError& error) {
    throw StoreError(fmt::format("is not a timeline: {}", error.what()));
  }
}

std::vector<RankIteration> first_ranks(std::vector<RankIteration> ranks, std::size_t most_spans) {
  std::size_t spans = 0;
  std::size_t kept = 0;
  for (const RankIteration& rank : ranks) {
    spans += 1 + rank.transfers.size() + (rank.training ? rank.training->buckets.size() : 0);
    if (kept > 0 && spans > most_spans) break;
    ++kept;
  }
  ranks.resize(kept);
  for (RankIteration& rank : ranks) {
    rank.dense.reset();
    rank.stood_still = Nanoseconds::zero();
    rank.links.clear();
  }
  return ranks;
}

std::size_t count_transfers(std::span<const Plan> plans) {
  std::size_t count = 0;
  for (const Plan& plan : plans) {
    for (const Lane& lane : plan.lanes) {
      for (const Step& step : lane) count += step.sends.size() + step.recvs.size();
    }
  }
  return count;
}

}  // namespace gradwire::record
