#include "schedule/timeline.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire::schedule {

Seconds Timeline::communication() const {
  Seconds sum{};
  for (const BucketTimes& bucket : buckets) sum += bucket.end - bucket.start;
  return sum;
}

Seconds sendable(const BackwardPass& pass, const Schedule& schedule, std::size_t bucket) {
  const Bucket& asked = schedule.buckets[bucket];
  const Seconds ready = schedule.overlaps ? pass.gradients[asked.end() - 1].ready : pass.end;
  return std::max(ready, asked.not_before);
}

std::vector<double> bucket_bytes(const BackwardPass& pass, const Schedule& schedule) {
  std::vector<double> bytes;
  bytes.reserve(schedule.buckets.size());
  std::size_t next = 0;
  for (const Bucket& bucket : schedule.buckets) {
    ensure(bucket.first == next && bucket.count > 0 && bucket.end() <= pass.gradients.size(),
           "buckets tile the gradients");
    double sum = 0;
    for (; next < bucket.end(); ++next) sum += pass.gradients[next].bytes;
    bytes.push_back(sum);
  }
  ensure(next == pass.gradients.size(), "buckets tile the gradients");
  return bytes;
}

Timeline predict(const BackwardPass& pass, const Schedule& schedule,
                 std::span<const Seconds> times) {
  const std::vector<double> bytes = bucket_bytes(pass, schedule);
  ensure(times.size() == bytes.size(), "every bucket has a time");
  Timeline timeline{.compute = pass.end, .iteration = pass.end};
  timeline.buckets.reserve(bytes.size());
  Seconds sent{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    BucketTimes bucket{.ready = sendable(pass, schedule, i), .bytes = bytes[i]};
    bucket.start = std::max(sent, bucket.ready);
    bucket.end = bucket.start + times[i];
    sent = bucket.end;
    timeline.buckets.push_back(bucket);
  }
  timeline.iteration = std::max(timeline.iteration, sent);
  return timeline;
}

Timeline predict(const BackwardPass& pass, const Schedule& schedule, const Cost& cost) {
  std::vector<Seconds> times;
  for (const double bytes : bucket_bytes(pass, schedule)) times.push_back(time_of(cost, bytes));
  return predict(pass, schedule, times);
}

}  // namespace gradwire::schedule
