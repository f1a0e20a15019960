#include "results/report/page/timeline_data.h"

#include <utility>

#include "results/record/file_names.h"
#include "results/record/ndjson.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

/// Undilates times of one iteration.
struct Clock {
  double dilation = 1;

  [[nodiscard]] double microseconds(Nanoseconds time) const {
    return static_cast<double>(time.count()) / 1e3 / dilation;
  }
};

json transfer_data(const record::TracedTransfer& transfer, Nanoseconds start, const Clock& clock) {
  return {transfer.bucket,
          transfer.lane,
          transfer.step,
          transfer.sends ? 1 : 0,
          transfer.peer.rank.index(),
          transfer.peer.via.index(),
          transfer.elements * sizeof(float),
          clock.microseconds(start + transfer.posted),
          clock.microseconds(start + transfer.done)};
}

json rank_data(const record::RankIteration& rank, std::size_t number, const Clock& clock) {
  json buckets = json::array();
  json compute_end = nullptr;
  if (rank.training) {
    compute_end = clock.microseconds(rank.training->compute_end);
    for (const record::RankBucket& bucket : rank.training->buckets) {
      buckets.push_back({{"ready_us", clock.microseconds(bucket.ready)},
                         {"start_us", clock.microseconds(bucket.start)},
                         {"end_us", clock.microseconds(bucket.end)}});
    }
  }
  json transfers = json::array();
  for (const record::TracedTransfer& transfer : rank.transfers) {
    transfers.push_back(transfer_data(transfer, rank.start, clock));
  }
  return {{"rank", number},
          {"start_us", clock.microseconds(rank.start)},
          {"end_us", clock.microseconds(rank.end)},
          {"compute_end_us", std::move(compute_end)},
          {"buckets", std::move(buckets)},
          {"transfers", std::move(transfers)}};
}

}  // namespace

json timeline_data(const record::Timeline& timeline) {
  const Clock clock{timeline.dilation};
  json ranks = json::array();
  for (const record::RankIteration& rank : timeline.ranks) {
    ranks.push_back(rank_data(rank, ranks.size(), clock));
  }
  return {
      {"iteration", timeline.iteration}, {"warmup", timeline.warmup}, {"ranks", std::move(ranks)}};
}

StoredTimelines read_timelines(const record::StoredRun& run) {
  StoredTimelines timelines;
  const record::Reading reading{.running = run.status == record::RunStatus::running};
  record::read_ndjson(run.folder / record::kTimelinesFile, reading, timelines.problems,
                      [&](std::string_view line) {
                        const record::Timeline timeline = record::timeline_of_line(line);
                        timelines.by_key[timeline.key] = timeline_data(timeline);
                      });
  return timelines;
}

}  // namespace gradwire::report
