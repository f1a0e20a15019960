#include "results/record/gst.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire::record {

Seconds undilated(WallTime time, double dilation) {
  return time / dilation;
}

Nanoseconds wall(const Sample& sample) {
  ensure(!sample.ranks.empty(), "a sample has the times of its ranks");
  return std::ranges::max(sample.ranks, {}, &RankTimes::end).end -
         std::ranges::max(sample.ranks, {}, &RankTimes::start).start;
}

Seconds gst(const Sample& sample) {
  if (!sample.training) return undilated(wall(sample), sample.dilation);
  Nanoseconds sum{};
  for (const BucketSample& bucket : sample.training->buckets) sum += bucket.end - bucket.start;
  return undilated(sum, sample.dilation);
}

Seconds exposed(WallTime iteration, WallTime compute, double dilation) {
  return undilated(iteration - compute, dilation);
}

}  // namespace gradwire::record
