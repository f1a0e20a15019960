#include "results/record/sample.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire::record {

Nanoseconds Sample::wall() const {
  ensure(!ranks.empty(), "a sample has the times of its ranks");
  return std::ranges::max(ranks, {}, &RankTimes::end).end -
         std::ranges::max(ranks, {}, &RankTimes::start).start;
}

Seconds Sample::duration() const {
  return std::chrono::duration_cast<Seconds>(wall()) / dilation;
}

Seconds Sample::gst() const {
  if (!training) return duration();
  Nanoseconds sum{};
  for (const BucketSample& bucket : training->buckets) sum += bucket.end - bucket.start;
  return std::chrono::duration_cast<Seconds>(sum) / dilation;
}

Seconds Sample::exposed() const {
  ensure(training.has_value(), "only a training job exposes communication");
  return std::chrono::duration_cast<Seconds>(wall() - training->compute) / dilation;
}

IterationTimes times_of(const Sample& sample) {
  IterationTimes times{
      .warmup = sample.warmup, .gst = sample.gst(), .wrong = sample.wrong, .flags = sample.flags};
  if (!sample.training) return times;
  times.training.emplace();
  times.training->iteration = sample.duration();
  times.training->exposed = sample.exposed();
  for (const BucketSample& bucket : sample.training->buckets) {
    times.training->buckets.push_back(Seconds(bucket.end - bucket.start) / sample.dilation);
  }
  return times;
}

}  // namespace gradwire::record
