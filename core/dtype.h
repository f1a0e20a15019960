#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gradwire {

/// The type of a gradient's elements.
enum class Dtype : std::uint8_t {
  float32,
  float64,
  float16,   ///< IEEE 754 binary16: 11 bits of significand
  bfloat16,  ///< the upper half of a float32: 8 bits of significand
  int32,     ///< sums wrap
  int64,     ///< sums wrap
  byte,      ///< is only moved, never added
};

/// The size of an element in bytes.
[[nodiscard]] std::size_t size_of(Dtype type);
/// The type's name: "float32", "float64", "float16", "bfloat16", "int32", "int64" or "byte".
[[nodiscard]] std::string_view to_string(Dtype type);
/// The type of this name, which comes from a schema or another process of ours. Throws
/// InternalError for another name.
[[nodiscard]] Dtype parse_dtype(std::string_view name);

}  // namespace gradwire
