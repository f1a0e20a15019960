#include "results/record/timeline.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace gradwire::record {
namespace {

using nlohmann::json;

/// Moves the times that are on the common clock, which begins anywhere.
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
    json& transfers = entry["transfers"] = json::array();
    for (const TracedTransfer& transfer : rank.transfers) transfers.push_back(to_json(transfer));
    ranks.push_back(std::move(entry));
  }
  return {{"key", timeline.key},
          {"session", timeline.session},
          {"iteration", timeline.iteration},
          {"warmup", timeline.warmup},
          {"dilation", timeline.dilation},
          {"ranks", std::move(ranks)}};
}

Timeline timeline_from_json(const json& value) {
  Timeline timeline{.key = value.at("key"),
                    .session = value.at("session"),
                    .iteration = value.at("iteration"),
                    .warmup = value.at("warmup"),
                    .dilation = value.at("dilation")};
  for (const json& entry : value.at("ranks")) {
    RankIteration rank = rank_iteration_from_json(entry);
    for (const json& transfer : entry.at("transfers")) {
      rank.transfers.push_back(traced_transfer_from_json(transfer));
    }
    timeline.ranks.push_back(std::move(rank));
  }
  return timeline;
}

std::vector<RankIteration> first_ranks(std::vector<RankIteration> ranks) {
  std::size_t spans = 0;
  std::size_t kept = 0;
  for (const RankIteration& rank : ranks) {
    spans += 1 + rank.transfers.size() + (rank.training ? rank.training->buckets.size() : 0);
    if (kept > 0 && spans > kMostSpans) break;
    ++kept;
  }
  ranks.resize(kept);
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
