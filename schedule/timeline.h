#pragma once

#include <span>
#include <vector>

#include "schedule/policy.h"

namespace gradwire::schedule {

/// A bucket's synchronization. Times count from the beginning of the iteration.
struct BucketTimes {
  Seconds ready{};  ///< earliest time to send it: sendable()
  Seconds start{};
  Seconds end{};
  double bytes = 0;
};

/// The times of one iteration.
struct Timeline {
  std::vector<BucketTimes> buckets;  ///< in order
  Seconds compute{};                 ///< computing: forward and backward
  Seconds iteration{};               ///< time until the last bucket is synchronized

  /// The communication that computing does not hide: the iteration's time minus the computing time.
  [[nodiscard]] Seconds exposed() const { return iteration - compute; }
  /// The sum of all buckets' synchronization times.
  [[nodiscard]] Seconds communication() const;
};

/// The earliest time to send a bucket: its last gradient is ready, or without overlap the pass has
/// ended, and its `not_before` has passed.
[[nodiscard]] Seconds sendable(const BackwardPass& pass, const Schedule& schedule,
                               std::size_t bucket);

/// The bytes of every bucket. Throws InternalError when the buckets do not tile the gradients.
[[nodiscard]] std::vector<double> bucket_bytes(const BackwardPass& pass, const Schedule& schedule);

/// The timeline if bucket i takes `times[i]` (TPDS eq. 6-8). Throws InternalError when the buckets
/// do not tile the gradients, or the numbers differ.
[[nodiscard]] Timeline predict(const BackwardPass& pass, const Schedule& schedule,
                               std::span<const Seconds> times);
/// The timeline if every bucket takes the time that `cost` gives for its bytes. Throws
/// InternalError when the buckets do not tile the gradients.
[[nodiscard]] Timeline predict(const BackwardPass& pass, const Schedule& schedule,
                               const Cost& cost);

}  // namespace gradwire::schedule
