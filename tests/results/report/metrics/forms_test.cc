#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/text/schemas.h"
#include "results/record/point_json.h"
#include "results/report/metrics/definitions.h"
#include "results/report/metrics/glossary.h"
#include "results/report/metrics/metrics.h"
#include "results/report/metrics/row_json.h"
#include "results/report/metrics/row_schema.h"
#include "results/report/metrics/text_columns.h"
#include "results/report/results_json.h"
#include "results/report/training_table.h"
#include "tests/results/report/metrics/rows.h"

/// What is made of the table of metrics: a row of results.json, its schema, text tables, glossary.
namespace gradwire::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using testing::bare_row;
using ::testing::ElementsAreArray;
using testing::full_row;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::set<std::string> pointers() {
  std::set<std::string> all;
  for (const Metric& metric : metrics()) {
    if (!metric.json.empty()) all.emplace(metric.json);
  }
  return all;
}

/// Pointers to everything in a value, down to what is no object.
std::set<std::string> pointers_in(const json& value, const std::string& at = "") {
  std::set<std::string> found;
  if (!value.is_object()) return found;
  for (const auto& [name, member] : value.items()) {
    found.insert(at + "/" + name);
    found.merge(pointers_in(member, at + "/" + name));
  }
  return found;
}

/// Pointers to everything that a schema names, down to what is no object.
std::set<std::string> properties_of(const ordered_json& schema, const std::string& at = "") {
  std::set<std::string> found;
  if (!schema.contains("properties")) return found;
  for (const auto& [name, property] : schema.at("properties").items()) {
    found.insert(at + "/" + name);
    found.merge(properties_of(property, at + "/" + name));
  }
  return found;
}

TEST(RowJson, HasEveryMetricThatHasAPlaceThereAndNoOther) {
  EXPECT_EQ(pointers_in(row_json(full_row())), pointers());
}

// points.ndjson and samples.ndjson have the same words for the same things.
TEST(RowJson, SaysOfItsPointWhatLinesSay) {
  const record::Row row = full_row();
  const json found = row_json(row);
  const json configuration = to_json(row.configuration);
  for (const auto& [name, value] : configuration.items()) EXPECT_EQ(found.at(name), value) << name;
  EXPECT_EQ(found.at("wiring_cost"), to_json(*row.wiring));
  const json& training = found.at("training");
  EXPECT_EQ(training.at("cost"), to_json(row.training->plan.cost));
  const json bucket = to_json(row.training->plan).at("predicted").at("buckets").at(0);
  EXPECT_EQ(
      training.at("buckets"),
      json({{{"gst_us", 500.0}, {"bytes", 1e6}, {"predicted", bucket}}, {{"gst_us", 250.0}}}));
}

TEST(RowJson, HasNullForWhatIsAbsent) {
  const json row = row_json(bare_row());
  for (const char* name : {"/batch", "/bound_us", "/efficiency", "/wrong", "/training",
                           "/wiring_cost", "/gst_us/median_interval"}) {
    EXPECT_TRUE(row.at(json::json_pointer(name)).is_null()) << name;
  }
  EXPECT_EQ(row.at("flags"), json({"few-samples", "not-verified"}));
}

TEST(Schema, OfResultsIsWhatTheMetricsMake) {
  EXPECT_EQ(text::schema("results"), results_schema()) << "`make schema` writes it anew";
}

TEST(Schema, NamesEveryMetricOfARowAndNoOther) {
  const ordered_json schema = ordered_json::parse(text::schema("results"));
  const ordered_json& row = schema.at("properties").at("rows").at("items");
  EXPECT_EQ(properties_of(row), pointers());
}

TEST(Schema, TakesRowsThatHaveEverythingAndRowsThatHaveLittle) {
  const std::vector<record::Row> rows{full_row(), bare_row()};
  const json results = results_json(rows, std::nullopt);
  EXPECT_EQ(text::why_invalid(results, "results"), std::nullopt);
}

TEST(Schema, RefusesARowWithoutOneOfItsMetrics) {
  const std::vector<record::Row> rows{full_row()};
  const json whole = results_json(rows, std::nullopt);
  for (const std::string& pointer : pointers()) {
    json damaged = whole;
    const json::json_pointer at("/rows/0" + pointer);
    damaged.at(at.parent_pointer()).erase(at.back());
    EXPECT_NE(text::why_invalid(damaged, "results"), std::nullopt) << pointer;
  }
}

TEST(Schema, RefusesAValueOfAnotherKind) {
  const std::vector<record::Row> rows{full_row()};
  const json whole = results_json(rows, std::nullopt);
  for (const Metric& metric : metrics()) {
    if (metric.json.empty()) continue;
    json damaged = whole;
    const json::json_pointer at("/rows/0" + std::string(metric.json));
    damaged.at(at) = true;
    EXPECT_NE(text::why_invalid(damaged, "results"), std::nullopt) << metric.name;
    damaged.at(at) = nullptr;
    EXPECT_EQ(text::why_invalid(damaged, "results") == std::nullopt, metric.nullable)
        << metric.name;
  }
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  return {std::istream_iterator<std::string>(text), {}};
}

/// A text table as its words: the line that names the columns, then a line per row. No cell of
/// these rows has a space.
std::vector<std::vector<std::string>> words_in(const std::string& table) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream text(table);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("#  backing")) lines.push_back(words_of(line.substr(1)));
    if (line.starts_with("   ")) lines.push_back(words_of(line));
  }
  return lines;
}

/// A row's cells by heading.
std::map<std::string, std::string> cells(const std::string& table, std::size_t row) {
  const auto lines = words_in(table);
  EXPECT_EQ(lines.at(0).size(), lines.at(row + 1).size());
  std::map<std::string, std::string> found;
  for (std::size_t i = 0; i < lines.at(0).size(); ++i) found[lines[0][i]] = lines.at(row + 1).at(i);
  return found;
}

std::vector<std::string> headings_of(Place (*place)(const Metric&)) {
  std::vector<std::string> words;
  for (const Metric* const metric : shown(place)) words.emplace_back(metric->column.heading);
  return words;
}

TEST(TextTables, HaveTheColumnsOfTheirMetrics) {
  const std::vector<record::Row> rows{full_row(), bare_row()};
  EXPECT_THAT(words_in(format_rows(result_columns(), rows)).at(0),
              ElementsAreArray(headings_of([](const Metric& m) { return m.column.results; })));
  EXPECT_THAT(words_in(format_training_table(rows)).at(0),
              ElementsAreArray(headings_of([](const Metric& m) { return m.column.training; })));
}

TEST(TextTables, WriteNumbersShortAndWhatIsAbsentAsADash) {
  const std::vector<record::Row> rows{full_row(), bare_row()};
  const std::string table = format_rows(result_columns(), rows);
  auto full = cells(table, 0);
  EXPECT_EQ(full["gst_p50"], "1003.5");
  EXPECT_EQ(full["cv%"], "0.2");
  EXPECT_EQ(full["bound"], "900.0");
  EXPECT_EQ(full["algbw"], "3.986") << "4 MB in 1003.5 us";
  EXPECT_EQ(full["eff%"], "89.7") << "100 x 900 / 1003.5";
  EXPECT_EQ(full["#wrong"], "0");
  EXPECT_EQ(full["flags"], "cpu-bound,burst");
  auto bare = cells(table, 1);
  for (const char* absent : {"bound", "cut", "eff%", "exposed%", "#wrong", "jct"}) {
    EXPECT_EQ(bare[absent], "-") << absent;
  }
  auto trained = cells(format_training_table(rows), 0);
  EXPECT_EQ(trained["msgs"], "2");
  EXPECT_EQ(trained["pred"], "3000.0");
  EXPECT_EQ(trained["err%"], "-45.5") << "100 x (3000 / 5500 - 1)";
  EXPECT_EQ(trained["b"], "1.0000") << "1 us for each 1000 bytes";
}

// A number has a definition of its own, of what it is a statistic of, and of what these need; no
// line is wider than 100 columns, and none is there twice.
TEST(TextTables, DefineTheirNumbers) {
  Columns columns = result_columns();
  const std::string results = define(columns);
  EXPECT_THAT(results, HasSubstr("# GST "));
  EXPECT_THAT(results, HasSubstr("# bound "));
  EXPECT_THAT(results, HasSubstr("A time that no algorithm can beat on this wiring"));
  EXPECT_THAT(results, Not(HasSubstr("# wiring ")));
  EXPECT_THAT(results, Not(HasSubstr("# iter_p50 ")));
  std::ranges::copy(training_columns(), std::back_inserter(columns));
  const std::string all = define(columns);
  EXPECT_THAT(all, HasSubstr("Iteration time minus compute time"));
  std::set<std::string> seen;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(seen.insert(line).second) << line;
  }
  EXPECT_THAT(define({&metric("nicbw")}), AllOf(HasSubstr("# busbw "), HasSubstr("# algbw ")));
}

TEST(TextTables, TakeColumnsByTheirNames) {
  const std::vector<std::string> names{"algo", "gst_p99", "latency_us"};
  const std::vector<record::Row> rows{full_row()};
  EXPECT_THAT(format_rows(columns_named(names), rows),
              HasSubstr("#  algo  gst_p99  latency_us\n#           (us)        (us)\n   bml "));
  EXPECT_THAT([] { static_cast<void>(columns_named(std::vector<std::string>{"gst_p9"})); },
              ThrowsMessage<InputError>(HasSubstr("unknown column 'gst_p9' (did you mean 'gst_p")));
}

TEST(Glossary, HasTheWordsOfThePage) {
  std::set<std::string> words;
  for (const json& word : glossary()) {
    const std::string name = word.at("name");
    EXPECT_EQ(word.at("definition"), metric(name).definition);
    EXPECT_TRUE(words.insert(name).second) << name;
  }
  for (const char* name : {"S", "T_F", "GST", "iteration", "JCT", "exposed", "algbw", "busbw",
                           "nicbw", "bound", "cut", "eff", "dilation"}) {
    EXPECT_EQ(words.count(name), 1u) << name;
  }
}

}  // namespace
}  // namespace gradwire::report
