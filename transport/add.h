#pragma once

#include <span>

namespace gradwire::transport {

/// sums[i] += terms[i], with the widest SIMD instructions of the machine. The spans must have equal
/// length and must not overlap. Never allocates.
void add(std::span<float> sums, std::span<const float> terms);

}  // namespace gradwire::transport
