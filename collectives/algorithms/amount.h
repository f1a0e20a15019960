#pragma once

#include <cstddef>
#include <vector>

#include "core/extent.h"
#include "schedule/policy.h"
#include "workloads/profile.h"

namespace gradwire::algorithms {

/// The elements that an algorithm synchronizes in one call, and the tensors that they belong to.
struct Amount {
  std::size_t elements = 0;
  std::vector<Extent> tensors = {};  ///< empty where the workload has no tensors
  std::size_t tensors_before = 0;    ///< tensors in earlier buckets, for a bucket
};

/// The whole gradient of a training job.
[[nodiscard]] Amount amount_of(const workloads::Profile& profile);

/// One bucket of a training job, and where it begins in the gradient.
struct BucketAmount {
  Amount amount;
  std::size_t first = 0;  ///< element of the gradient
};
[[nodiscard]] BucketAmount amount_of(const workloads::Profile& profile,
                                     const schedule::Bucket& bucket);

}  // namespace gradwire::algorithms
