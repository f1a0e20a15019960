#include "core/to_number.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace gradwire {
namespace {

TEST(ToNumber, TakesAllOfTheTextOrNothing) {
  EXPECT_EQ(to_number<int>("-17"), -17);
  EXPECT_EQ(to_number<double>("2.5e3"), 2500.0);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1", "1.0", "one"}) {
    EXPECT_EQ(to_number<int>(text), std::nullopt) << text;
  }
}

TEST(ToNumber, HoldsWhatTheTypeHolds) {
  EXPECT_EQ(to_number<std::uint8_t>("255"), 255);
  EXPECT_EQ(to_number<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(to_number<unsigned>("-1"), std::nullopt);
  EXPECT_EQ(to_number<double>("1e999"), std::nullopt);
}

}  // namespace
}  // namespace gradwire
