#pragma once

#include <bit>
#include <cstdint>

/// Numbers of 16 bits. Computation with them is done in float32.
namespace gradwire {

/// The memory of an IEEE 754 binary16.
struct Float16 {
  std::uint16_t bits = 0;
  friend bool operator==(const Float16&, const Float16&) = default;
};
/// The memory of a bfloat16.
struct Bfloat16 {
  std::uint16_t bits = 0;
  friend bool operator==(const Bfloat16&, const Bfloat16&) = default;
};

/// The value of an IEEE 754 binary16.
[[nodiscard]] float to_float(Float16 number);
/// The binary16 nearest to a value, ties to even; infinity beyond 65504, a quiet NaN for a NaN.
[[nodiscard]] Float16 to_float16(float value);

/// The value of a bfloat16.
[[nodiscard]] inline float to_float(Bfloat16 number) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(number.bits) << 16);
}
/// The bfloat16 nearest to a value, ties to even; a quiet NaN for a NaN.
[[nodiscard]] inline Bfloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t quiet = (bits >> 16) | 0x40U;
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  return {static_cast<std::uint16_t>(value != value ? quiet : rounded)};
}

}  // namespace gradwire
