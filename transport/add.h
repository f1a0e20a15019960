#pragma once

#include <cstddef>
#include <span>

#include "core/dtype.h"

namespace gradwire::transport {

/// sums[i] += terms[i], element by element of this type, with the widest SIMD instructions of the
/// machine. Halves are added in float32 and rounded once, to nearest, ties to even; whole numbers
/// wrap. The spans hold whole elements, as many of the one as of the other, aligned for them, and
/// must not overlap. Throws InternalError for bytes, which are never added. Never allocates.
void add(Dtype type, std::span<std::byte> sums, std::span<const std::byte> terms);
/// The same for float32.
void add(std::span<float> sums, std::span<const float> terms);

}  // namespace gradwire::transport
