#pragma once

#include <span>
#include <vector>

#include "schedule/policy.h"

namespace gradwire::schedule {

/// A bucket's synchronization. Times count from the beginning of the iteration.
struct BucketTimes {
  Seconds ready{};  ///< when it may be sent: sendable()
  Seconds start{};
  Seconds end{};
  double bytes = 0;
};

/// What one iteration looks like.
struct Timeline {
  std::vector<BucketTimes> buckets;  ///< in order
  Seconds compute{};                 ///< forward and backward
  Seconds iteration{};               ///< until the last bucket is synchronized

  /// Communication that computing does not hide: the iteration's time minus the computing time.
  [[nodiscard]] Seconds exposed() const { return iteration - compute; }
  /// All buckets' synchronization times together.
  [[nodiscard]] Seconds communication() const;
};

/// When a bucket may be sent at the earliest: its last gradient is ready, or without overlap the
/// pass has ended, and it need not wait any longer.
[[nodiscard]] Seconds sendable(const BackwardPass& pass, const Schedule& schedule,
                               std::size_t bucket);

/// The bytes of every bucket. Throws InternalError when the buckets do not tile the gradients.
[[nodiscard]] std::vector<double> bucket_bytes(const BackwardPass& pass, const Schedule& schedule);

/// The timeline when bucket i takes `times[i]` (TPDS eq. 6-8). Throws InternalError when the
/// buckets do not tile the gradients, or the numbers differ.
[[nodiscard]] Timeline predict(const BackwardPass& pass, const Schedule& schedule,
                               std::span<const Seconds> times);
/// The timeline when every bucket takes what `cost` says of its bytes. Throws InternalError when
/// the buckets do not tile the gradients.
[[nodiscard]] Timeline predict(const BackwardPass& pass, const Schedule& schedule,
                               const Cost& cost);

}  // namespace gradwire::schedule
