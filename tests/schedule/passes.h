#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "schedule/timeline.h"

/// Backward passes by hand, in the papers' terms.
namespace gradwire::schedule::testing {

/// Layers in backward order that take `times` seconds and have `bytes`; no forward pass.
inline BackwardPass pass_of(std::span<const double> times, std::span<const double> bytes) {
  BackwardPass pass;
  for (std::size_t i = 0; i < times.size(); ++i) {
    pass.end += Seconds(times[i]);
    pass.gradients.push_back({pass.end, bytes[i]});
  }
  return pass;
}

inline BackwardPass pass_of(std::initializer_list<double> times,
                            std::initializer_list<double> bytes) {
  return pass_of(std::span(times.begin(), times.size()), std::span(bytes.begin(), bytes.size()));
}

/// `count` layers of a second and a byte each.
inline BackwardPass even_pass(std::size_t count) {
  return pass_of(std::vector<double>(count, 1), std::vector<double>(count, 1));
}

/// When the last bucket is synchronized.
inline double end_of(const BackwardPass& pass, const Schedule& schedule, const Cost& cost) {
  return predict(pass, schedule, cost).iteration.count();
}

/// How many gradients each bucket holds.
inline std::vector<std::size_t> counts(const Schedule& schedule) {
  std::vector<std::size_t> counts;
  for (const Bucket& bucket : schedule.buckets) counts.push_back(bucket.count);
  return counts;
}

}  // namespace gradwire::schedule::testing
