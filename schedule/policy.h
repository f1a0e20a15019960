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

/// Horovod's fusion buffer: a bucket closes before the gradient that would not fit into `cap`.
[[nodiscard]] Schedule fusion_buffer(const BackwardPass& pass, double cap);

/// MG-WFBP, TPDS Algorithm 1: a bucket takes the next gradient as long as that is ready less than
/// the cost's start-up time after the bucket could start. Costs at most twice the optimum, and is
/// never worse than wfbp and synceasgd; not optimal (docs/schedules.md).
[[nodiscard]] Schedule mg_wfbp(const BackwardPass& pass, const Affine& cost);

/// MG-WFBP as INFOCOM 2019 prints its Algorithm 1: the same rule, but it reads two of its times
/// without having set them. With 0 for these, the last three gradients always share a bucket.
[[nodiscard]] Schedule mg_wfbp_infocom(const BackwardPass& pass, const Affine& cost);

}  // namespace gradwire::schedule
