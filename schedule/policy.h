#pragma once

#include <cstddef>
#include <vector>

#include "core/fields.h"
#include "schedule/backward_pass.h"
#include "schedule/cost.h"

namespace gradwire::schedule {

/// Gradients [first, first + count) of a backward pass, synchronized by one collective.
struct Bucket {
  std::size_t first = 0;
  std::size_t count = 0;
  /// Earliest time to send it, since the iteration's beginning, ready or not.
  Seconds not_before{};

  /// The gradient after the last one.
  [[nodiscard]] constexpr std::size_t end() const { return first + count; }
  friend bool operator==(const Bucket&, const Bucket&) = default;

  static constexpr auto kFields =
      row(field("first", &Bucket::first), field("count", &Bucket::count),
          field("not_before_s", &Bucket::not_before));
};

/// The buckets to send, in order; they tile the gradients. One is under way at a time; the next
/// starts when the one before is done and its last gradient is ready.
struct Schedule {
  std::vector<Bucket> buckets;
  bool overlaps = true;  ///< false: all buckets wait for the end of the backward pass

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Schedules S-SGD without overlap: a bucket per gradient, after the backward pass.
[[nodiscard]] Schedule no_overlap(const BackwardPass& pass);

/// Schedules wait-free backpropagation (TPDS eq. 6-8): a bucket per gradient, each as soon as it is
/// ready.
[[nodiscard]] Schedule wfbp(const BackwardPass& pass);

/// Schedules one bucket of everything (TPDS eq. 9).
[[nodiscard]] Schedule synceasgd(const BackwardPass& pass);

/// Schedules buckets that close with the gradient that fills them: the first at `first_cap` bytes
/// or more, the others at `cap`. PyTorch's DistributedDataParallel: 1 MiB, then 25 MiB.
[[nodiscard]] Schedule fixed_buckets(const BackwardPass& pass, double first_cap, double cap);

/// Schedules buckets that close before the gradient that would not fit into `cap`.
[[nodiscard]] Schedule fusion_buffer(const BackwardPass& pass, double cap);

/// The parameters of a program that looks for gradients now and then.
struct FusionCycle {
  Seconds time{};  ///< time between the beginnings of cycles; 0: it looks all the time
  double cap = 0;  ///< bytes of a bucket, above 0
};

/// Schedules Horovod's tensor fusion, as documented: a cycle fuses the gradients that are ready
/// when it begins into buckets that close before the gradient that would not fit, and sends one
/// after the other. The next cycle begins a cycle's time after this one did, or when that is done.
/// The first begins with the iteration. `cost` gives the times of sending.
[[nodiscard]] Schedule fusion_cycles(const BackwardPass& pass, const Cost& cost,
                                     const FusionCycle& cycle);

/// Schedules MG-WFBP, TPDS Algorithm 1: a bucket takes the next gradient as long as that is ready
/// less than the cost's start-up time after the bucket could start. Costs at most twice the
/// optimum, and is never worse than wfbp and synceasgd; not optimal (docs/schedules.md).
[[nodiscard]] Schedule mg_wfbp(const BackwardPass& pass, const Affine& cost);

/// Schedules MG-WFBP by Algorithm 1 of INFOCOM 2019: the same rule, but it reads two of its times
/// without having set them. With 0 for these, the last three gradients always share a bucket.
[[nodiscard]] Schedule mg_wfbp_infocom(const BackwardPass& pass, const Affine& cost);

}  // namespace gradwire::schedule
