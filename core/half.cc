#include "core/half.h"

namespace gradwire {
namespace {

constexpr std::uint32_t kSign = 0x8000U;        // of a binary16
constexpr std::uint32_t kInfinity = 0x7c00U;    // of a binary16: all ones in the exponent
constexpr std::uint32_t kBeyond = 0x477ff000U;  // of a float32: 65520, which rounds to infinity
constexpr std::uint32_t kNormal = 0x38800000U;  // of a float32: 2^-14, the least normal binary16
constexpr float kDenormal = 0x1p-24F;           // the least binary16 above 0

}  // namespace

float to_float(Float16 number) {
  const std::uint32_t bits = number.bits;
  const std::uint32_t sign = (bits & kSign) << 16;
  const std::uint32_t magnitude = bits & 0x7fffU;
  if (magnitude >= kInfinity) {
    return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
  }
  if (magnitude < 0x400U) {
    const float value = static_cast<float>(magnitude) * kDenormal;
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + (112U << 23)));  // exponents: 127 - 15
}

Float16 to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & kSign;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000U) {
    half = kInfinity | 0x200U | (magnitude >> 13 & 0x3ffU);
  } else if (magnitude >= kBeyond) {
    half = kInfinity;
  } else if (magnitude >= kNormal) {
    const std::uint32_t rebased = magnitude - (112U << 23);
    half = (rebased + 0xfffU + (rebased >> 13 & 1U)) >> 13;
  } else {
    // Added to 0.5, the last bit of a float32 is 2^-24: the sum is rounded as it should be.
    const float sum = std::bit_cast<float>(magnitude) + 0.5F;
    half = std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5F);
  }
  return {static_cast<std::uint16_t>(sign | half)};
}

}  // namespace gradwire
