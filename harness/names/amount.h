#pragma once

#include <cstddef>
#include <string>

#include "harness/names/algorithms.h"
#include "schedule/policy.h"
#include "workloads/profile.h"

namespace gradwire::names {

/// What a workload synchronizes, of hybrid(...) with the stack's inputs; `elements` elements without tensors when `workload` is empty or
/// dense(...), of which harness/names/dense.h says how many an algorithm synchronizes.
/// Throws InputError for an unknown workload.
[[nodiscard]] Amount amount_of(const std::string& workload, std::size_t elements);

/// What a training job synchronizes in all.
[[nodiscard]] Amount amount_of(const workloads::Profile& profile);

/// What one of its buckets synchronizes, and where that begins in the gradient.
struct BucketAmount {
  Amount amount;
  std::size_t first = 0;  ///< element of the gradient
};
[[nodiscard]] BucketAmount amount_of(const workloads::Profile& profile,
                                     const schedule::Bucket& bucket);

}  // namespace gradwire::names
