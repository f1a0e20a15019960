#include "results/record/stored_point_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "results/record/flags.h"
#include "results/record/store_error.h"

namespace gradwire::record {

void StoredPointBuilder::begin(PointRecord record) {
  // A simulation would choose the same again.
  const bool apart =
      record.training.has_value() && record.configuration.backing != Backing::simulated;
  if (attempts_.empty() || apart) attempts_.emplace_back();
  Attempt& attempt = attempts_.back();
  attempt.expected[record.attempt] = {.predicted = record.predicted, .latency = record.latency};
  attempt.record = std::move(record);
}

void StoredPointBuilder::add(const StoredSample& sample) {
  Attempt& attempt = attempt_of(sample.attempt);
  const std::pair place(sample.attempt, sample.iteration);
  if (attempt.last && place <= *attempt.last) {
    throw StoreError(fmt::format("comes after iteration {} of its point", attempt.last->second));
  }
  if (!attempt.builder.takes(sample.times)) {
    throw StoreError("has other buckets than its point");
  }
  if (attempt.builder.empty()) {
    // What a later attempt expects says nothing of what was measured before it.
    const auto told = attempt.expected.find(sample.attempt);
    if (told != attempt.expected.end()) {
      attempt.record.predicted = told->second.predicted;
      attempt.record.latency = told->second.latency;
    }
  } else if (attempt.last->first != sample.attempt) {
    attempt.builder.mark(std::string(kFlagResumed));
  }
  attempt.last = place;
  attempt.builder.add(sample.times);
}

void StoredPointBuilder::mark(std::size_t attempt, const std::string& flag) {
  attempt_of(attempt).builder.mark(flag);
}

std::optional<StoredPoint> StoredPointBuilder::point() const {
  for (auto attempt = attempts_.rbegin(); attempt != attempts_.rend(); ++attempt) {
    const RowBuilder& builder = attempt->builder;
    if (builder.empty()) continue;
    Row row = builder.row(attempt->record);
    for (const Attempt& other : attempts_) {
      if (&other != &*attempt) row.iterations.earlier += other.builder.added();
    }
    return StoredPoint{.record = attempt->record,
                       .row = std::move(row),
                       .gst = {builder.gst().begin(), builder.gst().end()},
                       .iterations = {builder.iterations().begin(), builder.iterations().end()},
                       .losses = {builder.losses().begin(), builder.losses().end()}};
  }
  return std::nullopt;
}

StoredPointBuilder::Attempt& StoredPointBuilder::attempt_of(std::size_t number) {
  if (attempts_.size() == 1 && attempts_.back().record.attempt == number) return attempts_.back();
  const PointRecord& newest = attempts_.back().record;
  if (!newest.training || newest.configuration.backing == Backing::simulated)
    return attempts_.back();
  const auto found = std::ranges::find(
      attempts_, number, [](const Attempt& attempt) { return attempt.record.attempt; });
  if (found == attempts_.end()) throw StoreError("is of an attempt that never began");
  return *found;
}

}  // namespace gradwire::record
