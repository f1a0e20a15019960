#include "core/fields.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/binary.h"
#include "core/layout.h"
#include "core/name_table.h"

namespace gradwire {
namespace {

using ::testing::Optional;

enum class Colour : std::uint8_t { red = 'r', blue = 'b' };
constexpr auto names_of(Colour) {
  return NameTable<Colour, 2>({{"red", Colour::red}, {"blue", Colour::blue}});
}

struct Point {
  std::int32_t x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;

  static constexpr auto kFields = row(field("x", &Point::x), field("y", &Point::y));
};

/// Something of every type that a field may have.
struct Everything {
  bool flag = false;
  std::uint64_t number = 0;
  std::string text;
  Colour colour = Colour::red;
  Rank rank;
  Nanoseconds time{};
  Seconds model{};
  BitRate rate = kUnlimited;
  std::optional<Point> point;
  std::vector<Point> points;
  std::array<std::uint8_t, 3> bytes{};
  std::map<std::pair<std::size_t, Port>, std::string> map;
  std::vector<bool> bits;
  friend bool operator==(const Everything&, const Everything&) = default;

  static constexpr auto kFields =
      fields(field("flag", &Everything::flag), field("number", &Everything::number),
             field("text", &Everything::text), field("colour", &Everything::colour),
             field("rank", &Everything::rank), field("time_ns", &Everything::time),
             field("model_s", &Everything::model), field("rate", &Everything::rate),
             field("point", &Everything::point), field("points", &Everything::points),
             field("bytes", &Everything::bytes), field("map", &Everything::map),
             field("bits", &Everything::bits));
};

Everything something() {
  return {.flag = true,
          .number = 0xfedc'ba98'7654'3210,
          .text = std::string("a\0b", 3),
          .colour = Colour::blue,
          .rank = Rank(70'000),
          .time = Nanoseconds(-5),
          .model = Seconds(0.1),
          .rate = BitRate{1e9},
          .point = Point{.x = -1, .y = 0.5},
          .points = {{.x = 1}, {.x = 2}},
          .bytes = {1, 2, 255},
          .map = {{{3, Port(1)}, "three"}, {{4, Port(0)}, ""}},
          .bits = {true, false, true}};
}

TEST(Binary, ComesBackAsItWas) {
  EXPECT_THAT(from_bytes<Everything>(to_bytes(something())), Optional(something()));
  EXPECT_THAT(from_bytes<Everything>(to_bytes(Everything())), Optional(Everything()));
}

TEST(Binary, IsLittleEndianAndAsWideAsItsTypes) {
  EXPECT_EQ(to_bytes(std::uint32_t{0x01020304}), "\x04\x03\x02\x01");
  EXPECT_EQ(to_bytes(std::string("ab")), std::string("\2\0\0\0ab", 6));
  EXPECT_EQ(to_bytes(Colour::blue), "b");
  EXPECT_EQ(to_bytes(Point{.x = 1, .y = 0}).size(), 12U);
}

// Whatever is cut off or added, nothing is read: not even a part of it.
TEST(Binary, WhatIsCutOrLongerIsRefused) {
  const std::string bytes = to_bytes(something());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(from_bytes<Everything>(bytes.substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(from_bytes<Everything>(bytes + '\0'), std::nullopt);
}

TEST(Binary, ValuesThatNoTypeHasAreRefused) {
  EXPECT_EQ(from_bytes<bool>("\2"), std::nullopt);
  EXPECT_EQ(from_bytes<Colour>("g"), std::nullopt);
  EXPECT_EQ(from_bytes<std::optional<bool>>("\2\1"), std::nullopt);
  EXPECT_EQ(from_bytes<Nanoseconds>(to_bytes(kMostNanoseconds + 1)), std::nullopt);
  EXPECT_EQ(from_bytes<BitRate>(to_bytes(std::optional(-1.0))), std::nullopt);
  EXPECT_EQ(from_bytes<BitRate>(to_bytes(std::optional(std::nan("")))), std::nullopt);
  const std::vector<std::pair<bool, bool>> twice{{true, false}, {true, true}};
  EXPECT_EQ((from_bytes<std::map<bool, bool>>(to_bytes(twice))), std::nullopt);
}

// Else four bytes from a stranger would make a process allocate gigabytes.
TEST(Binary, ACountThatTheBytesCannotHoldIsRefusedAtOnce) {
  EXPECT_EQ(from_bytes<std::string>("\xff\xff\xff\xff"), std::nullopt);
  EXPECT_EQ(from_bytes<std::vector<Everything>>("\xff\xff\xff\xff"), std::nullopt);
  EXPECT_EQ((from_bytes<std::map<bool, bool>>("\xff\xff\xff\xff")), std::nullopt);
}

struct Renamed {
  std::int32_t a = 0;
  double y = 0;
  static constexpr auto kFields = row(field("a", &Renamed::a), field("y", &Renamed::y));
};
struct Wider {
  std::int64_t x = 0;
  double y = 0;
  static constexpr auto kFields = row(field("x", &Wider::x), field("y", &Wider::y));
};

TEST(Layout, DiffersByNamesAndTypes) {
  static_assert(layout_of<Point>() == layout_of<Point>());
  EXPECT_NE(layout_of<Point>(), layout_of<Renamed>());
  EXPECT_NE(layout_of<Point>(), layout_of<Wider>());
  EXPECT_NE(layout_of<std::vector<Point>>(), layout_of<std::vector<Wider>>());
  EXPECT_NE(layout_of<std::int64_t>(), layout_of<std::uint64_t>());
  EXPECT_NE(layout_of<std::int64_t>(), layout_of<double>());
}

}  // namespace
}  // namespace gradwire
