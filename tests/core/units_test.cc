#include "core/units.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire {
namespace {

using namespace std::chrono_literals;

TEST(BitRate, UnitsArePowersOfOneThousand) {
  EXPECT_EQ(parse_bit_rate("40Gbit").bits_per_second, 40e9);
  EXPECT_EQ(parse_bit_rate(" 500 Mbit/s ").bits_per_second, 5e8);
  EXPECT_EQ(parse_bit_rate("1.5 Gbps").bits_per_second, 1.5e9);
  EXPECT_EQ(parse_bit_rate("9600").bits_per_second, 9600);
  EXPECT_EQ(parse_bit_rate("40Gbit").bytes_per_second(), 5e9);
}

TEST(BitRate, RefusesWhatIsNoRate) {
  for (const char* text :
       {"", "fast", "-1Gbit", "0", "40 GB", "40Gbit extra", "nan", "inf", "1e999"}) {
    EXPECT_THROW(static_cast<void>(parse_bit_rate(text)), InputError) << text;
  }
}

TEST(Bytes, BinaryAndDecimalUnitsDiffer) {
  EXPECT_EQ(parse_bytes("12.5MiB"), 13'107'200u);
  EXPECT_EQ(parse_bytes("12.5MB"), 12'500'000u);
  EXPECT_EQ(parse_bytes("64 KiB"), 65'536u);
  EXPECT_EQ(parse_bytes("0"), 0u);
}

TEST(Bytes, RefusesFractionsOfAByteAndMore) {
  for (const char* text : {"1.5", "0.3 KiB", "-4", "12 monkeys", "1e30", "MiB"}) {
    EXPECT_THROW(static_cast<void>(parse_bytes(text)), InputError) << text;
  }
}

TEST(Duration, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("10s"), 10s);
  EXPECT_EQ(parse_duration("1.5 ms"), 1500us);
  EXPECT_EQ(parse_duration("80ns"), 80ns);
  EXPECT_EQ(parse_duration("2min"), 2min);
  EXPECT_THROW(static_cast<void>(parse_duration("10")), InputError) << "a unit is needed";
  EXPECT_THROW(static_cast<void>(parse_duration("-1s")), InputError);
}

TEST(Format, PicksTheUnitThatKeepsTheNumberAboveOne) {
  EXPECT_EQ(to_string(BitRate{4e10}), "40 Gbit/s");
  EXPECT_EQ(to_string(BitRate{5e8}), "500 Mbit/s");
  EXPECT_EQ(format_bytes(13'098'536), "12.49 MiB");
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_duration(2330us), "2.33 ms");
}

// LeNet-5's 12.49 MiB at 40 Gbit/s: T_F = 2.62 ms.
TEST(TimeToSend, IsBytesOverRate) {
  EXPECT_NEAR(time_to_send(13'098'536, parse_bit_rate("40Gbit")).count(), 2.62e-3, 1e-5);
}

}  // namespace
}  // namespace gradwire
