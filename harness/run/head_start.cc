#include "harness/run/head_start.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "core/error.h"

namespace gradwire::run {
namespace {

Nanoseconds start_of(const record::RankIteration& rank, std::size_t bucket) {
  return rank.training ? rank.training->buckets.at(bucket).start : rank.start;
}

}  // namespace

Nanoseconds head_start(std::span<const record::RankIteration> ranks,
                       std::span<const Seconds> bounds, double dilation) {
  ensure(!ranks.empty(), "an iteration is of at least one rank");
  Nanoseconds sum{};
  for (std::size_t bucket = 0; bucket < bounds.size(); ++bucket) {
    Nanoseconds first = Nanoseconds::max();
    Nanoseconds last = Nanoseconds::min();
    for (const record::RankIteration& rank : ranks) {
      first = std::min(first, start_of(rank, bucket));
      last = std::max(last, start_of(rank, bucket));
    }
    const Seconds bound = bounds[bucket] * dilation;
    sum += std::min(last - first, std::chrono::duration_cast<Nanoseconds>(bound));
  }
  return sum;
}

}  // namespace gradwire::run
