#include "core/text/json.h"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/name_table.h"

namespace gradwire::text {
namespace {

using nlohmann::json;

enum class Fruit : std::uint8_t { apple, pear };
constexpr auto names_of(Fruit) {
  return NameTable<Fruit, 2>({{"apple", Fruit::apple}, {"pear", Fruit::pear}});
}

struct Times {
  Nanoseconds start{};
  Nanoseconds end{};
  friend bool operator==(const Times&, const Times&) = default;
  static constexpr auto kFields =
      row(field("start_ns", &Times::start), field("end_ns", &Times::end));
};

struct Basket {
  std::string owner;
  Fruit fruit = Fruit::apple;
  std::optional<std::int64_t> wrong;
  std::optional<double> weight;
  std::vector<Times> times;
  std::array<std::uint8_t, 2> key{};
  std::map<Rank, double> shares;
  BitRate rate = kUnlimited;
  friend bool operator==(const Basket&, const Basket&) = default;

  static constexpr auto kFields =
      fields(field("owner", &Basket::owner), field("fruit", &Basket::fruit),
             field("wrong", &Basket::wrong), optional_field("weight", &Basket::weight),
             optional_field("times", &Basket::times), field("key", &Basket::key),
             optional_field("shares", &Basket::shares), field("rate", &Basket::rate));
};

const Basket kFull{.owner = "me",
                   .fruit = Fruit::pear,
                   .wrong = -3,
                   .weight = 0.5,
                   .times = {{Nanoseconds(1), Nanoseconds(2)}, {Nanoseconds(3), Nanoseconds(4)}},
                   .key = {0xab, 0x01},
                   .shares = {{Rank(2), 0.25}},
                   .rate = BitRate{1000}};

TEST(JsonFields, AreAsTheListSays) {
  EXPECT_EQ(to_json(kFull).dump(),
            R"({"fruit":"pear","key":"ab01","owner":"me","rate":1000.0,"shares":[[2,0.25]],)"
            R"("times":[[1,2],[3,4]],"weight":0.5,"wrong":-3})");
  EXPECT_EQ(to_json(Basket()).dump(),
            R"({"fruit":"apple","key":"0000","owner":"","rate":null,"wrong":null})");
}

TEST(JsonFields, ComeBackAsTheyWere) {
  for (const Basket& basket : {kFull, Basket()}) {
    EXPECT_EQ(from_json<Basket>(to_json(basket), "basket"), basket);
  }
}

TEST(JsonFields, OthersAreSkipped) {
  json more = to_json(kFull);
  more["colour"] = "green";
  EXPECT_EQ(from_json<Basket>(more, "basket"), kFull);
}

/// Why a basket with this in place of what is at the pointer is refused.
std::string json_refusal(const std::string& pointer, const json& value) {
  json changed = to_json(kFull);
  if (value.is_discarded()) {
    changed.erase(pointer);
  } else {
    changed[json::json_pointer(pointer)] = value;
  }
  try {
    static_cast<void>(from_json<Basket>(changed, "basket"));
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(JsonFields, WhatIsWrongIsNamedWithItsPlace) {
  EXPECT_EQ(json_refusal("owner", json(json::value_t::discarded)), "basket: owner: is missing");
  EXPECT_EQ(json_refusal("/owner", 3), "basket: owner: is number, not a string");
  EXPECT_EQ(json_refusal("/fruit", "plum"), "basket: fruit: is 'plum', which is no such name");
  EXPECT_EQ(json_refusal("/times/1", json::array({1})), "basket: times/1: has 1 values, not 2");
  EXPECT_EQ(json_refusal("/times/1/0", json::array()).substr(0, 25), "basket: times/1/start_ns:");
  EXPECT_EQ(json_refusal("/times/0/0", 1.5).substr(0, 25), "basket: times/0/start_ns:");
  EXPECT_EQ(json_refusal("/times/0/0", INT64_MAX),
            "basket: times/0/start_ns: is a time beyond 73 years");
  EXPECT_EQ(json_refusal("/key", "ab"), "basket: key: is not 4 hexadecimal digits");
  EXPECT_EQ(json_refusal("/rate", -1), "basket: rate: has a value that does not fit");
  EXPECT_EQ(json_refusal("/shares", json::array({{1, 2.0}, {1, 3.0}})),
            "basket: shares: has a key twice");
  EXPECT_EQ(json_refusal("/shares/0/0", std::uint64_t{1} << 32).substr(0, 19),
            "basket: shares/0: [");
  EXPECT_EQ(json_refusal("", json::array()), "basket: owner: is array, not an object");
}

TEST(JsonFields, AreRefusedWithTheErrorThatIsAskedFor) {
  EXPECT_THROW(static_cast<void>(from_json<Basket, InputError>(json(1), "it")), InputError);
}

}  // namespace
}  // namespace gradwire::text
