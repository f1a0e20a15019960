#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "simulator/keyed_heap.h"

namespace gradwire::simulator {

/// The token buckets of shaped links. A link passes up to `bytes` at `factor` times its capacity
/// after a pause, and refills with the unused part of its capacity. Bytes and seconds.
class TokenBuckets {
 public:
  /// Buckets that are all full at time 0. Requires factor > 1.
  TokenBuckets(std::span<const double> capacities, double bytes, double factor);

  /// Changes a link's capacity from `now` on. pass() and set_usage() must follow at the same time.
  void set_capacity(std::uint32_t link, double capacity, double now);
  /// The capacity that the link can give from `now` on; decides whether a burst begins or ends.
  [[nodiscard]] double pass(std::uint32_t link, double now);
  /// Sets the rate that the link's flows use together from `now` on.
  void set_usage(std::uint32_t link, double usage, double now);
  /// The time at which the next bucket will be empty; infinite if none will.
  [[nodiscard]] double next() const;
  /// Ends the burst of one link whose bucket is empty by `due`, and returns the link.
  [[nodiscard]] std::optional<std::uint32_t> end_one(double now, double due);

 private:
  struct Bucket {
    double capacity = 0;    ///< bytes per second, without a burst
    double tokens = 0;      ///< bytes at counted_at
    double counted_at = 0;  ///< seconds
    double usage = 0;       ///< bytes per second since counted_at
    bool is_bursting = false;
  };

  void count(Bucket& bucket, double now) const;

  double bytes_;
  double factor_;
  std::vector<Bucket> buckets_;
  KeyedHeap emptying_;  ///< links, by the time at which their buckets are empty
  KeyedHeap::Places places_;
};

}  // namespace gradwire::simulator
