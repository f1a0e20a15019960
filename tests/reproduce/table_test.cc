#include "reproduce/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gradwire::reproduce {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Table, CellsAreBrokenAtBlanks) {
  EXPECT_THAT(wrap("a short text", 20), ElementsAre("a short text"));
  EXPECT_THAT(wrap("a text that is longer", 10), ElementsAre("a text", "that is", "longer"));
  EXPECT_THAT(wrap("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(wrap("", 4), ElementsAre(""));
}

TEST(Table, SaysEverythingAndCountsVerdicts) {
  const Claim claim{7, "BML", "section 3.2", "links are even"};
  const Judged judged[] = {
      {&claim, {"pub", "theo", "sim", "meas", {Outcome::reproduced, "reproduced"}}},
      {&claim, {"-", "-", "-", "-", {Outcome::contradicted, "CONTRADICTED: x"}}}};
  const std::string text = format_table(judged);
  for (const char* part : {"links are even. BML,", "pub", "theo", "sim", "meas", "  1 reproduced",
                           "  1 contradicted"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_TRUE(any_contradicted(judged));
  EXPECT_FALSE(any_contradicted(std::span(judged).first(1)));
  EXPECT_EQ(to_json(judged)["claims"][0]["verdict"]["outcome"], "reproduced");
}

}  // namespace
}  // namespace gradwire::reproduce
