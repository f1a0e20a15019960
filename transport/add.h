#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.h"

namespace gradwire::transport {

/// Adds element by element: sums[i] += terms[i], with the widest SIMD instructions of the machine.
/// Halves are added in float32 and rounded once, to nearest, ties to even; whole numbers wrap. Both
/// spans hold whole elements of `type`, equally many, aligned for it, and must not overlap. Throws
/// InternalError for bytes, which are never added. Never allocates.
void add(Dtype type, std::span<std::byte> sums, std::span<const std::byte> terms);
/// Adds float32 elements: sums[i] += terms[i].
void add(std::span<float> sums, std::span<const float> terms);

}  // namespace gradwire::transport
