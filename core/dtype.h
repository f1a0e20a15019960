#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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
/// The type of this name; nothing for another one.
[[nodiscard]] std::optional<Dtype> dtype_of(std::string_view name);
/// All names, in the order of the enumeration.
[[nodiscard]] std::vector<std::string_view> dtype_names();

}  // namespace gradwire
