#include "results/record/row_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "results/record/flags.h"

namespace gradwire::record {
namespace {

/// Adds with saturation, as lines of a folder may hold any number.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}

Seconds median(std::span<const double> seconds) {
  return Seconds(summarize(seconds).median);
}

/// Whether a median rests on marked values: one of the middle two is marked, or half of all are.
bool rests_on(std::span<const double> values, const std::vector<bool>& marked) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  const std::size_t middle = order.size() / 2;
  if (marked[order[middle]]) return true;
  if (order.size() % 2 == 0 && marked[order[middle - 1]]) return true;
  return 2 * static_cast<std::size_t>(std::ranges::count(marked, true)) >= marked.size();
}

}  // namespace

bool RowBuilder::takes(const IterationTimes& times) const {
  const std::size_t buckets = times.training ? times.training->buckets.size() : 0;
  return empty() || buckets == buckets_.size();
}

void RowBuilder::add(const IterationTimes& times) {
  ensure(takes(times), "a job has the same buckets all along");
  if (times.wrong) wrong_ = sum(wrong_.value_or(0), *times.wrong);
  if (times.dense) add_dense(times);
  if (times.warmup) {
    ++iterations_left_.warmup;
    return;
  }
  gst_.push_back(times.gst.count());
  if (times.head_start) head_starts_.push_back(times.head_start->count());
  if (times.foreign_share) foreign_shares_.push_back(*times.foreign_share);
  disturbed_.push_back(std::ranges::find(times.flags, kFlagDisturbed) != times.flags.end());
  for (const std::string& flag : times.flags) {
    if (flag != kFlagDisturbed) add_once(flags_, flag);  // a row is when its median rests on such
  }
  if (times.training) add_training(*times.training);
}

void RowBuilder::add_training(const IterationTimes::Training& training) {
  if (buckets_.empty()) buckets_.resize(training.buckets.size());
  iterations_.push_back(training.iteration.count());
  if (training.loss) losses_.push_back(*training.loss);
  exposed_.push_back(training.exposed.count());
  compute_.push_back((training.iteration - training.exposed).count());
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    buckets_[i].push_back(training.buckets[i].count());
  }
}

void RowBuilder::add_dense(const IterationTimes& times) {
  const IterationTimes::Dense& dense = *times.dense;
  if (dense.deviation) deviation_ = std::max(deviation_.value_or(0), *dense.deviation);
  if (times.warmup) return;
  products_.push_back(dense.products.count());
  steps_.push_back((times.gst + dense.products).count());
}

void RowBuilder::mark(const std::string& flag) {
  add_once(flags_, flag);
}

TrainingRow RowBuilder::training_row(const PointRecord& record) const {
  TrainingRow row{.plan = *record.training,
                  .iteration = summarize(iterations_),
                  .compute = median(compute_),
                  .exposed = median(exposed_)};
  row.jct = Seconds(std::accumulate(iterations_.begin(), iterations_.end(), 0.0));
  // All iterations of a simulation are alike, and only one is made.
  if (record.configuration.backing == Backing::simulated) {
    row.jct = Seconds(row.iteration.median * static_cast<double>(record.iterations));
  }
  for (const std::vector<double>& bucket : buckets_) row.bucket_gst.push_back(median(bucket));
  return row;
}

// No iteration is faster than a bound less its own head start. Medians keep that order. A head start that
// is not said where others are may be anything.
std::optional<Seconds> RowBuilder::less_head_start(Seconds bound) const {
  if (head_starts_.empty()) return bound;
  if (head_starts_.size() < gst_.size()) return std::nullopt;
  return std::max(Seconds(0), bound - median(head_starts_));
}

std::optional<Seconds> RowBuilder::bound(const PointRecord& record) const {
  return record.bound ? less_head_start(*record.bound) : std::nullopt;
}

std::optional<WiringCost> RowBuilder::wiring(const PointRecord& record) const {
  std::optional<WiringCost> wiring = record.wiring;
  if (wiring) wiring->cut = less_head_start(wiring->cut).value_or(Seconds(0));
  return wiring;
}

Row RowBuilder::row(const PointRecord& record) const {
  ensure(!empty(), "a row is of at least one measured iteration");
  Row row{.key = record.key,
          .configuration = record.configuration,
          .dilation = record.dilation,
          .integrity = record.integrity,
          .bus_factor = record.bus_factor,
          .gst = summarize(gst_),
          .bound = bound(record),
          .predicted = record.predicted,
          .latency = record.latency,
          .wiring = wiring(record),
          .wrong = wrong_,
          .flags = flags_,
          .iterations = iterations_left_};
  row.iterations.disturbed = static_cast<std::size_t>(std::ranges::count(disturbed_, true));
  if (rests_on(gst_, disturbed_)) add_once(row.flags, kFlagDisturbed);
  if (!foreign_shares_.empty()) row.foreign_share = summarize(foreign_shares_).median;
  if (record.training && !iterations_.empty()) row.training = training_row(record);
  if (!products_.empty()) {
    row.dense = {.products = median(products_), .step = median(steps_), .deviation = deviation_};
  }
  if (record.configuration.backing != Backing::simulated && gst_.size() < record.iterations) {
    add_once(row.flags, kFlagIncomplete);
  }
  return row;
}

}  // namespace gradwire::record
