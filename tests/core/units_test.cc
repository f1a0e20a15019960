#include "core/units.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire {
namespace {

using namespace std::chrono_literals;

/// What `read` says when it refuses.
template <class Read>
std::string answer(const Read& read) {
  try {
    static_cast<void>(read());
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BitRate, UnitsArePowersOfOneThousand) {
  EXPECT_EQ(parse_bit_rate("40Gbit").bits_per_second, 40e9);
  EXPECT_EQ(parse_bit_rate(" 500 Mbit/s ").bits_per_second, 5e8);
  EXPECT_EQ(parse_bit_rate("1.5 Gbps").bits_per_second, 1.5e9);
  EXPECT_EQ(parse_bit_rate("40Gbit").bytes_per_second(), 5e9);
}

TEST(BitRate, ReadsWhatPeopleWrite) {
  for (const char* text : {"100G", "100Gb", "100Gb/s", "100Gbps", "100gbit", "100Gbits/sec", "100g",
                           "12.5GB/s", "12.5 GBps", "100000M", "1e2Gbit", "100\xc2\xa0Gbit/s"}) {
    EXPECT_EQ(parse_bit_rate(text).bits_per_second, 1e11) << text;
  }
  EXPECT_EQ(parse_bit_rate("25M").bits_per_second, 25e6);
  EXPECT_EQ(parse_bit_rate("64Kibit").bits_per_second, 65536);
  EXPECT_EQ(parse_bit_rate("9600bit").bits_per_second, 9600);
  EXPECT_EQ(parse_bit_rate("64kbps").bits_per_second, 64e3);
}

TEST(BitRate, RefusesWhatIsNoRate) {
  for (const char* text :
       {"",         "fast", "-1Gbit", "0",         "0Gbit",      "40 GB",   "40Gbit extra",
        "nan",      "inf",  "1e999",  "1e300Tbit", "1e-300Gbit", "1e7Tbit", "+1Gbit",
        "0x10Gbit", "1e",   "1G/s",   "1m",        "1Gi",        "."}) {
    EXPECT_THROW(static_cast<void>(parse_bit_rate(text)), InputError) << text;
  }
}

// A rate that is taken for another one is a wrong result: both are named.
TEST(BitRate, RefusesWhatHasTwoReadings) {
  EXPECT_EQ(answer([] { return parse_bit_rate("10"); }),
            "'10' has no unit; write 10bit/s, 10Mbit/s or 10Gbit/s");
  for (const char* text : {"10GB", "10gb/s", "10gbps", "10gb"}) {
    EXPECT_EQ(answer([&] { return parse_bit_rate(text); }),
              "'" + std::string(text) + "' can mean two rates; write 10Gbit/s or 10GB/s");
  }
}

TEST(Bytes, BinaryAndDecimalUnitsDiffer) {
  EXPECT_EQ(parse_bytes("12.5MiB"), 13'107'200u);
  EXPECT_EQ(parse_bytes("12.5MB"), 12'500'000u);
  EXPECT_EQ(parse_bytes("64 KiB"), 65'536u);
  EXPECT_EQ(parse_bytes("0"), 0u);
}

// In doubles 8.2 * 1e6 is no whole number.
TEST(Bytes, DecimalsAreExact) {
  EXPECT_EQ(parse_bytes("8.2MB"), 8'200'000u);
  EXPECT_EQ(parse_bytes("4.1MB"), 4'100'000u);
  EXPECT_EQ(parse_bytes("16.4MB"), 16'400'000u);
  EXPECT_EQ(parse_bytes("4.1GB"), 4'100'000'000u);
  EXPECT_EQ(parse_bytes("1TB"), 1'000'000'000'000u);
  EXPECT_EQ(parse_bytes("1.5TiB"), 1'649'267'441'664u);
  EXPECT_EQ(parse_bytes("1.000000000000000000000000kB"), 1000u);
  EXPECT_EQ(parse_bytes("1.5Gi"), 1'610'612'736u);
  EXPECT_EQ(parse_bytes("0.0e5"), 0u);
  EXPECT_EQ(parse_bytes("1.5e3"), 1500u);
  EXPECT_EQ(parse_bytes("25e-1KB"), 2500u);
  EXPECT_EQ(parse_bytes("9000000000000000"), 9'000'000'000'000'000u);
  for (int tenths = 1; tenths < 1000; ++tenths) {
    const std::string text = std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
    EXPECT_EQ(parse_bytes(text + "MB"), 100'000u * static_cast<unsigned>(tenths)) << text;
  }
}

TEST(Bytes, RefusesFractionsOfAByteAndMore) {
  for (const char* text :
       {"1.5", "0.3 KiB", "-4", "12 monkeys", "1e30", "MiB", "1.0000000000000000000001MB",
        "9000000000000001", "18446744073709551616", "18446744073709551617B", "1e-2000",
        "1e999999999999B", "4XB", "4b", "4Mbit", "", "."}) {
    EXPECT_THROW(static_cast<void>(parse_bytes(text)), InputError) << text;
  }
}

// nccl-tests' 25M is 25 MiB, an NIC's 25 MB.
TEST(Bytes, RefusesWhatHasTwoReadings) {
  for (const char* text : {"25M", "25Mb", "25mb", "25m", "25mB"}) {
    EXPECT_EQ(answer([&] { return parse_bytes(text); }),
              "'" + std::string(text) +
                  "' can mean two sizes; write 25MB (powers of 1000) or 25MiB (powers of 1024)");
  }
  EXPECT_EQ(answer([] { return parse_bytes("8k"); }),
            "'8k' can mean two sizes; write 8kB (powers of 1000) or 8KiB (powers of 1024)");
}

TEST(Duration, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("10s"), 10s);
  EXPECT_EQ(parse_duration("1.5 ms"), 1500us);
  EXPECT_EQ(parse_duration("80ns"), 80ns);
  EXPECT_EQ(parse_duration("2min"), 2min);
  EXPECT_EQ(parse_duration("2h"), 2h);
  EXPECT_EQ(parse_duration("1d"), 24h);
  EXPECT_EQ(parse_duration("10us"), 10us);
  EXPECT_EQ(parse_duration("10\xc2\xb5s"), 10us) << "the micro sign";
  EXPECT_EQ(parse_duration("10 \xce\xbcs"), 10us) << "the Greek letter";
  EXPECT_THROW(static_cast<void>(parse_duration("-1s")), InputError);
  EXPECT_THROW(static_cast<void>(parse_duration("1e300s")), InputError);
}

TEST(Duration, RefusesWhatHasTwoReadings) {
  EXPECT_EQ(answer([] { return parse_duration("10"); }),
            "'10' has no unit; write 10s, 10ms or 10us");
  EXPECT_EQ(answer([] { return parse_duration("5m"); }),
            "'5m' can mean two times; write 5min or 5ms");
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
