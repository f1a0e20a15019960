#include "core/name_table.h"

#include <source_location>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire {
namespace {

using ::testing::ElementsAre;

enum class Fruit { apple, pear, quince };

/// Nobody writes quinces.
constexpr NameTable<Fruit, 2> kFruits({{"pear", Fruit::pear}, {"apple", Fruit::apple}});

TEST(NameTable, FindsBothWays) {
  EXPECT_EQ(kFruits.find("apple"), Fruit::apple);
  EXPECT_EQ(kFruits.find("quince"), std::nullopt);
  EXPECT_EQ(kFruits.find_name(Fruit::pear), "pear");
  EXPECT_EQ(kFruits.find_name(Fruit::quince), std::nullopt);
  EXPECT_EQ(kFruits.name_of(Fruit::pear), "pear");
}

TEST(NameTable, ListsNamesInTheOrderOfTheRows) {
  EXPECT_THAT(kFruits.names(), ElementsAre("pear", "apple"));
  EXPECT_EQ(kFruits.size(), 2u);
}

TEST(NameTable, AValueThatMustHaveANameIsABugOfTheCaller) {
  const unsigned line = std::source_location::current().line() + 2;
  try {
    static_cast<void>(kFruits.name_of(Fruit::quince));
    FAIL() << "a quince has no name";
  } catch (const InternalError& error) {
    EXPECT_EQ(error.what(),
              fmt::format("bug at tests/core/name_table_test.cc:{}: expected that the "
                          "value of an enumeration has a name",
                          line));
  }
}

}  // namespace
}  // namespace gradwire
