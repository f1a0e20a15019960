#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gradwire {

/// What an element of a gradient is.
enum class Dtype : std::uint8_t {
  float32,
  float64,
  float16,   ///< IEEE 754 binary16: 11 bits of significand
  bfloat16,  ///< the upper half of a float32: 8 bits of significand
  int32,     ///< sums wrap
  int64,     ///< sums wrap
  byte,      ///< moves, and is never added
};

/// Bytes of an element.
[[nodiscard]] std::size_t size_of(Dtype type);
/// "float32", "float64", "float16", "bfloat16", "int32", "int64", "byte".
[[nodiscard]] std::string_view to_string(Dtype type);
/// The type of this name, as a schema or another process of ours has it. Throws InternalError for
/// another name.
[[nodiscard]] Dtype parse_dtype(std::string_view name);

}  // namespace gradwire
