#include "core/half.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace gradwire {
namespace {

// A number that a half holds comes back as it was, all 65,536 of them; NaNs stay NaNs.
template <class Half, class ToHalf>
void expect_round_trip(ToHalf to_half) {
  for (std::uint32_t bits = 0; bits < 65'536; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const float value = to_float(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_float(to_half(value)))) << bits;
    } else {
      EXPECT_EQ(to_half(value).bits, bits);
    }
  }
}

TEST(Float16, EveryNumberComesBack) {
  expect_round_trip<Float16>(to_float16);
}
TEST(Bfloat16, EveryNumberComesBack) {
  expect_round_trip<Bfloat16>(to_bfloat16);
}

// IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits.
TEST(Float16, HasTheValuesOfItsStandard) {
  EXPECT_EQ(to_float(Float16{0x3c00}), 1.0F);
  EXPECT_EQ(to_float(Float16{0xc000}), -2.0F);
  EXPECT_EQ(to_float(Float16{0x7bff}), 65504.0F);
  EXPECT_EQ(to_float(Float16{0x0400}), 0x1p-14F);
  EXPECT_EQ(to_float(Float16{0x0001}), 0x1p-24F);
  EXPECT_EQ(to_float(Float16{0x7c00}), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::signbit(to_float(Float16{0x8000})));
}

// Between two neighbours the nearer one, and of two as near the even one.
TEST(Float16, RoundsToNearestTiesToEven) {
  EXPECT_EQ(to_float16(2049.0F).bits, to_float16(2048.0F).bits);
  EXPECT_EQ(to_float16(2051.0F).bits, to_float16(2052.0F).bits);
  EXPECT_EQ(to_float16(2049.01F).bits, to_float16(2050.0F).bits);
  EXPECT_EQ(to_float16(0x1p-25F).bits, 0) << "half of the least, a tie";
  EXPECT_EQ(to_float16(0x1.1p-25F).bits, 1);
  EXPECT_EQ(to_float16(65519.9F).bits, 0x7bff);
  EXPECT_EQ(to_float16(65520.0F).bits, 0x7c00) << "infinity";
}

TEST(Bfloat16, RoundsToNearestTiesToEven) {
  EXPECT_EQ(to_float(to_bfloat16(257.0F)), 256.0F);
  EXPECT_EQ(to_float(to_bfloat16(259.0F)), 260.0F);
  EXPECT_EQ(to_float(to_bfloat16(257.01F)), 258.0F);
  EXPECT_EQ(to_float(to_bfloat16(std::numeric_limits<float>::max())),
            std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace gradwire
