#pragma once

#include <cstddef>
#include <vector>

#include "schedule/backward_pass.h"
#include "schedule/cost.h"

namespace gradwire::schedule {

/// Gradients [first, first + count) of a backward pass, synchronized by one collective.
struct Bucket {
  std::size_t first = 0;
  std::size_t count = 0;
  Seconds not_before{};  ///< it is not sent earlier after the iteration's beginning, ready or not

  /// The gradient after the last.
  [[nodiscard]] constexpr std::size_t end() const { return first + count; }
  friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// What is sent, in order: buckets that tile the gradients. One is under way at a time; the next
/// starts when the one before is done and its last gradient is ready.
struct Schedule {
  std::vector<Bucket> buckets;
  bool overlaps = true;  ///< false: all buckets wait for the end of the backward pass

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// S-SGD without overlap: a bucket per gradient, after the backward pass.
[[nodiscard]] Schedule no_overlap(const BackwardPass& pass);

/// Wait-free backpropagation (TPDS eq. 6-8): a bucket per gradient, each as soon as it is ready.
[[nodiscard]] Schedule wfbp(const BackwardPass& pass);

/// One bucket of everything (TPDS eq. 9).
[[nodiscard]] Schedule synceasgd(const BackwardPass& pass);

/// Buckets that close with the gradient that fills them: the first at `first_cap` bytes or more,
/// the others at `cap`. PyTorch's DistributedDataParallel: 1 MiB, then 25 MiB.
[[nodiscard]] Schedule fixed_buckets(const BackwardPass& pass, double first_cap, double cap);

/// A bucket closes before the gradient that would not fit into `cap`.
[[nodiscard]] Schedule fusion_buffer(const BackwardPass& pass, double cap);

/// What a program does that looks for gradients now and then.
struct FusionCycle {
  Seconds time{};  ///< from the beginning of a cycle to that of the next; 0: it looks all the time
  double cap = 0;  ///< bytes of a bucket, above 0
};

/// Horovod's tensor fusion, as its documentation has it: a cycle fuses what is ready when it begins
/// into buckets that close before the gradient that would not fit, and sends one after the other.
/// The next cycle begins a cycle's time after this one did, or when that is done. The first begins
/// with the iteration. `cost` says what has been sent when.
[[nodiscard]] Schedule fusion_cycles(const BackwardPass& pass, const Cost& cost,
                                     const FusionCycle& cycle);

/// MG-WFBP, TPDS Algorithm 1: a bucket takes the next gradient as long as that is ready less than
/// the cost's start-up time after the bucket could start. Costs at most twice the optimum, and is
/// never worse than wfbp and synceasgd; not optimal (docs/schedules.md).
[[nodiscard]] Schedule mg_wfbp(const BackwardPass& pass, const Affine& cost);

/// MG-WFBP as INFOCOM 2019 prints its Algorithm 1: the same rule, but it reads two of its times
/// without having set them. With 0 for these, the last three gradients always share a bucket.
[[nodiscard]] Schedule mg_wfbp_infocom(const BackwardPass& pass, const Affine& cost);

}  // namespace gradwire::schedule
