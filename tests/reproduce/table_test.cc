#include "reproduce/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gradwire::reproduce {
namespace {

using ::testing::HasSubstr;

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
