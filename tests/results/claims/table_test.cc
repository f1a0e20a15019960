#include "results/claims/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gradwire::claims {
namespace {

using ::testing::HasSubstr;

TEST(Table, SaysEverythingAndCountsVerdicts) {
  const Claim claim{7, "BML", "section 3.2", "links are even"};
  Finding good;
  good.published = "pub";
  good.theory = "theo";
  good.simulated = "sim";
  good.measured = "meas";
  good.verdict = {Outcome::reproduced, "reproduced"};
  good.sources = {{.experiment = "quickstart",
                   .backing = record::Backing::emulated,
                   .rows = {{.key = "1", .name = "bml on bcube(3,2)", .flags = {"burst"}}}}};
  good.fitted = {"1, a share"};
  Finding bad;
  bad.verdict = {Outcome::contradicted, "CONTRADICTED: x"};
  const Judged judged[] = {{&claim, good}, {&claim, bad}};
  const std::string text = format_table(judged);
  for (const char* part :
       {"links are even. BML,", "pub", "theo", "sim", "meas", "  1 reproduced", "  1 contradicted",
        " 7  1 row of quickstart (emulated), flagged burst", " 7  no run"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_TRUE(any_contradicted(judged));
  EXPECT_FALSE(any_contradicted(std::span(judged).first(1)));
  const nlohmann::json first = to_json(judged)["claims"][0];
  EXPECT_EQ(first["verdict"]["outcome"], "reproduced");
  EXPECT_EQ(first["rests_on"][0]["rows"][0]["flags"][0], "burst");
  EXPECT_EQ(first["fitted"][0], "1, a share");
}

}  // namespace
}  // namespace gradwire::claims
