#include "results/report/page/timeline_data.h"

#include <utility>

#include "results/record/file_names.h"
#include "results/record/ndjson.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

/// Conversion of one iteration's times and elements to the page's units: undilated times, and
/// bytes.
struct Units {
  double dilation = 1;
  std::size_t element_bytes = 1;

  [[nodiscard]] double microseconds(Nanoseconds time) const {
    return static_cast<double>(time.count()) / 1e3 / dilation;
  }
};

json transfer_data(const record::TracedTransfer& transfer, Nanoseconds start, const Units& units) {
  return {transfer.bucket,
          transfer.lane,
          transfer.step,
          transfer.sends ? 1 : 0,
          transfer.peer.rank.index(),
          transfer.peer.via.index(),
          transfer.elements * units.element_bytes,
          units.microseconds(start + transfer.posted),
          units.microseconds(start + transfer.done)};
}

json rank_data(const record::RankIteration& rank, std::size_t number, const Units& units) {
  json buckets = json::array();
  json compute_end = nullptr;
  if (rank.training) {
    compute_end = units.microseconds(rank.training->compute_end);
    for (const record::RankBucket& bucket : rank.training->buckets) {
      buckets.push_back({{"ready_us", units.microseconds(bucket.ready)},
                         {"start_us", units.microseconds(bucket.start)},
                         {"end_us", units.microseconds(bucket.end)}});
    }
  }
  json transfers = json::array();
  for (const record::TracedTransfer& transfer : rank.transfers) {
    transfers.push_back(transfer_data(transfer, rank.start, units));
  }
  return {{"rank", number},
          {"start_us", units.microseconds(rank.start)},
          {"end_us", units.microseconds(rank.end)},
          {"compute_end_us", std::move(compute_end)},
          {"buckets", std::move(buckets)},
          {"transfers", std::move(transfers)}};
}

}  // namespace

json timeline_data(const record::Timeline& timeline, Dtype type) {
  const Units units{.dilation = timeline.dilation, .element_bytes = size_of(type)};
  json ranks = json::array();
  for (const record::RankIteration& rank : timeline.ranks) {
    ranks.push_back(rank_data(rank, ranks.size(), units));
  }
  return {
      {"iteration", timeline.iteration}, {"warmup", timeline.warmup}, {"ranks", std::move(ranks)}};
}

StoredTimelines read_timelines(const record::StoredRun& run) {
  StoredTimelines timelines;
  std::map<std::string, Dtype> types;  // by key
  for (const record::StoredPoint& point : run.points) {
    types[point.record.key] = point.record.configuration.type;
  }
  const record::Reading reading{.running = run.status == record::RunStatus::running};
  record::read_ndjson(
      run.folder / record::kTimelinesFile, reading, timelines.problems, [&](std::string_view line) {
        const record::Timeline timeline = record::timeline_of_line(line);
        timelines.by_key[timeline.key] = timeline_data(timeline, types[timeline.key]);
      });
  return timelines;
}

}  // namespace gradwire::report
