#pragma once

#include <cstddef>
#include <string>

#include "harness/algorithms.h"

namespace gradwire::harness {

/// What a workload synchronizes; `elements` elements without tensors when `workload` is empty.
/// Throws InputError for an unknown workload.
[[nodiscard]] Amount amount_of(const std::string& workload, std::size_t elements);

}  // namespace gradwire::harness
