#include "results/report/metrics/metrics.h"

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/results/report/metrics/rows.h"

namespace gradwire::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

/// Fails for a text that two metrics have; many may have none.
void expect_unique(std::string_view Metric::*what) {
  std::set<std::string_view> found;
  for (const Metric& metric : metrics()) {
    const std::string_view text = metric.*what;
    EXPECT_TRUE(text.empty() || found.insert(text).second) << text;
  }
}

TEST(Metrics, AreFoundByNameAndByPlaceInTheRow) {
  expect_unique(&Metric::name);
  expect_unique(&Metric::json);
  EXPECT_EQ(metric("JCT").json, "/training/jct_us");
  EXPECT_EQ(metric_at("/training/jct_us"), &metric("JCT"));
  EXPECT_EQ(metric_at("/training/none"), nullptr);
  EXPECT_EQ(metric_at(""), nullptr) << "those that are not in a row have no place there";
  EXPECT_THROW(static_cast<void>(metric("none")), InternalError);
}

TEST(Metrics, NoTwoShareAColumn) {
  std::set<std::string_view> names;
  std::set<std::string_view> headings;
  for (const Metric& metric : metrics()) {
    const std::string_view name = metric.csv.name;
    EXPECT_TRUE(name.empty() || names.insert(name).second) << metric.name;
    const std::string_view heading = metric.column.heading;
    EXPECT_TRUE(heading.empty() || headings.insert(heading).second) << metric.name;
  }
}

// A definition is read alone, by an editor, in the schema and in the glossary.
TEST(Metrics, HaveADefinitionOfOneSentence) {
  for (const Metric& metric : metrics()) {
    const std::string definition(metric.definition);
    EXPECT_FALSE(metric.name.empty());
    ASSERT_GE(definition.size(), 8u) << metric.name;
    EXPECT_THAT(definition, EndsWith(".")) << metric.name;
    EXPECT_THAT(definition, Not(HasSubstr(". "))) << metric.name;
    EXPECT_THAT(definition, Not(HasSubstr("\n"))) << metric.name;
  }
}

TEST(Metrics, AreShownSomewhereWithAValueOfTheirKind) {
  for (const Metric& metric : metrics()) {
    const bool shown = !metric.json.empty() || !metric.csv.name.empty() ||
                       metric.column.results.shown || metric.column.training.shown ||
                       metric.column.dense.shown || metric.glossary;
    EXPECT_TRUE(shown) << metric.name;
    EXPECT_EQ(metric.value == nullptr, metric.kind == Kind::object) << metric.name;
    const bool in_table =
        metric.column.results.shown || metric.column.training.shown || metric.column.dense.shown;
    EXPECT_EQ(in_table, !metric.column.heading.empty()) << metric.name;
    const bool is_list_in_row = metric.kind == Kind::list && !metric.json.empty();
    EXPECT_EQ(is_list_in_row, !metric.element.empty()) << metric.name;
  }
}

bool is_of(Kind kind, const nlohmann::json& value) {
  switch (kind) {
    case Kind::text:
      return value.is_string();
    case Kind::count:
      return value.is_number_integer() && value >= 0;
    case Kind::positive:
      return value.is_number_integer() && value >= 1;
    case Kind::number:
      return value.is_number_float();
    case Kind::list:
      return value.is_array();
    case Kind::object:
      break;
  }
  return false;
}

TEST(Metrics, HaveValuesOfTheirKindInARowThatHasEverything) {
  const record::StoredRun run = testing::stored_run({});
  const record::Row row = testing::full_row();
  for (const Metric& metric : metrics()) {
    if (metric.kind == Kind::object) continue;
    const nlohmann::json value = metric.value({.row = row, .run = &run});
    EXPECT_TRUE(is_of(metric.kind, value)) << metric.name << ": " << value;
  }
}

// S = 4 MB in 1.0035 ms on 9 ranks with 2 ports each; T_F at 8 Gbit/s is 4 ms.
TEST(Metrics, FollowTheirDefinitions) {
  const record::StoredRun run = testing::stored_run({});
  const record::Row row = testing::full_row();
  const auto value = [&](std::string_view name) {
    return metric(name).value({.row = row, .run = &run}).get<double>();
  };
  EXPECT_DOUBLE_EQ(value("S"), 4e6);
  EXPECT_DOUBLE_EQ(value("T_F"), 4000);
  EXPECT_DOUBLE_EQ(value("GST median"), 1003.5);
  EXPECT_DOUBLE_EQ(value("algbw"), value("S") / value("GST median") / 1e3);
  EXPECT_DOUBLE_EQ(value("busbw"), value("algbw") * 2 * 8 / 9);
  EXPECT_DOUBLE_EQ(value("nicbw"), value("busbw") / 2);
  EXPECT_DOUBLE_EQ(value("eff"), value("bound") / value("GST median"));
  EXPECT_DOUBLE_EQ(value("cv"), 100 * value("GST standard deviation") / value("GST mean"));
  EXPECT_DOUBLE_EQ(value("GST prediction off by"),
                   100 * (value("predicted GST") / value("GST median") - 1));
  EXPECT_DOUBLE_EQ(value("attempted"), value("n") + value("warm-up") + value("left behind"));
  EXPECT_EQ(metric("kept").value({.row = row, .run = &run}), "8/13");
  EXPECT_DOUBLE_EQ(value("iteration median"), 5500);
  EXPECT_DOUBLE_EQ(value("exposed"), value("iteration median") - value("compute"));
  EXPECT_DOUBLE_EQ(value("exposed share"), 100 * value("exposed") / value("iteration median"));
  EXPECT_DOUBLE_EQ(value("prediction off by"),
                   100 * (value("predicted") / value("iteration median") - 1));
  EXPECT_DOUBLE_EQ(value("products"), 250);
  EXPECT_DOUBLE_EQ(value("step"), value("GST median") + value("products"));
  EXPECT_DOUBLE_EQ(value("deviation"), 3e-7);
  EXPECT_NEAR(value("a"), 10, 1e-2) << "4 bytes take 10 us";
  EXPECT_NEAR(value("b"), 1, 1e-9) << "4 MB more take 4 ms more";
}

// JCT stands before `wrong` in the table and behind it in the result table.
TEST(Metrics, StandInTheOrderThatAFormSays) {
  const auto names = [](const std::vector<const Metric*>& shown) {
    std::vector<std::string_view> list;
    for (const Metric* metric : shown) list.push_back(metric->name);
    return list;
  };
  const auto results = names(shown([](const Metric& metric) { return metric.column.results; }));
  ASSERT_THAT(results, IsSupersetOf<std::string_view>({"exposed share", "wrong", "JCT", "flags"}));
  const auto wrong = std::ranges::find(results, "wrong");
  EXPECT_EQ(*(wrong + 1), "JCT");
  EXPECT_THAT(results, Not(Contains("predicted")));
  EXPECT_THAT(names(shown([](const Metric& metric) {
                return Place{.shown = metric.name == "a" || metric.name == "b",
                             .after = metric.name == "a" ? "b" : ""};
              })),
              ElementsAre("b", "a"));
}

}  // namespace
}  // namespace gradwire::report
