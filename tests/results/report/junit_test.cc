#include "results/report/junit.h"

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "results/record/flags.h"
#include "results/record/point_name.h"

namespace gradwire::report {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Result = JunitCase::Result;

record::Configuration tested_point(std::size_t index) {
  return {.point = index,
          .backing = record::Backing::emulated,
          .wiring = "bcube(3,2)",
          .algorithm = "bml",
          .workload = "lenet5",
          .ranks = 9,
          .ports_per_host = 2,
          .elements = 1000};
}

record::Row tested_row(std::size_t index) {
  return {.configuration = tested_point(index),
          .dilation = 100,
          .gst = {.n = 10, .median = 1e-3, .mean = 2e-3},
          .wrong = 0};
}

const nlohmann::json kContext{{"started", "2026-03-01T12:00:05Z"},
                              {"experiment", {{"name", "quickstart"}}},
                              {"build", {{"commit", "0123"}}},
                              {"machine", {{"kernel", "Linux 6.1"}}}};

pugi::xml_document parse(const std::string& text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(text.c_str());
  EXPECT_TRUE(result) << result.description() << " in " << text;
  return document;
}

TEST(Junit, OfARunHasPropertiesAndACasePerPoint) {
  const std::vector planned{tested_point(0), tested_point(1)};
  const std::vector rows{tested_row(0), tested_row(1)};
  const std::string text = format_junit(
      junit_of_run({.context = kContext, .planned = planned, .rows = rows, .failures = {}}));
  const pugi::xml_document document = parse(text);
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "quickstart");
  EXPECT_EQ(suite.attribute("tests").as_int(), 2);
  EXPECT_EQ(suite.attribute("failures").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("errors").as_int(-1), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(-1), 0);
  EXPECT_STREQ(suite.attribute("timestamp").value(), "2026-03-01T12:00:05Z");
  const auto property = [&](const char* name) {
    return std::string(
        suite.child("properties").find_child_by_attribute("name", name).attribute("value").value());
  };
  EXPECT_EQ(property("commit"), "0123");
  EXPECT_EQ(property("kernel"), "Linux 6.1");
  EXPECT_EQ(property("dilation"), "100");
  const pugi::xml_node first = suite.child("testcase");
  EXPECT_STREQ(first.attribute("classname").value(), "quickstart");
  EXPECT_STREQ(first.attribute("name").value(), "bml on bcube(3,2), lenet5, emulated");
  EXPECT_NEAR(first.attribute("time").as_double(), 10 * 2e-3, 1e-9);
  EXPECT_FALSE(first.first_child());
}

TEST(Junit, WrongDataAndGatesAreFailures) {
  const std::vector planned{tested_point(0), tested_point(1), tested_point(2)};
  std::vector rows{tested_row(0), tested_row(1), tested_row(2)};
  rows[0].wrong = 7;
  const std::vector<GateFailure> failed{{.configuration = tested_point(2), .reason = "eff 83.1 %"}};
  const JunitSuite suite =
      junit_of_run({.context = kContext, .planned = planned, .rows = rows, .failures = failed});
  ASSERT_THAT(suite.cases, SizeIs(3));
  EXPECT_EQ(suite.cases[0].result, Result::failure);
  EXPECT_EQ(suite.cases[0].message, "7 elements are not the exact sum");
  EXPECT_EQ(suite.cases[1].result, Result::passed);
  EXPECT_EQ(suite.cases[2].message, "eff 83.1 %");
}

// It ended while the second of three points was measured.
TEST(Junit, OfARunThatEndedBeforeHasAnErrorAndSkippedPoints) {
  const std::vector planned{tested_point(0), tested_point(1), tested_point(2)};
  std::vector rows{tested_row(0), tested_row(1)};
  rows[1].flags.emplace_back(record::kFlagIncomplete);
  const JunitSuite suite = junit_of_run({.context = kContext,
                                         .planned = planned,
                                         .rows = rows,
                                         .failures = {},
                                         .ended_because = "rank 3: stalled"});
  ASSERT_THAT(suite.cases, SizeIs(3));
  EXPECT_EQ(suite.cases[0].result, Result::passed);
  EXPECT_EQ(suite.cases[1].result, Result::error);
  EXPECT_EQ(suite.cases[1].message, "rank 3: stalled");
  EXPECT_EQ(suite.cases[2].result, Result::skipped);
}

TEST(Junit, AnErrorThatIsNoPointsHasItsOwnCase) {
  const std::vector planned{tested_point(0)};
  const JunitSuite suite = junit_of_run({.context = nlohmann::json(nullptr),
                                         .planned = planned,
                                         .rows = {},
                                         .failures = {},
                                         .ended_because = "calibration"});
  ASSERT_THAT(suite.cases, SizeIs(2));
  EXPECT_EQ(suite.cases[0].result, Result::skipped);
  EXPECT_EQ(suite.cases[1].result, Result::error);
}

TEST(Junit, AContextOfAnotherFormIsNoReasonToFail) {
  const nlohmann::json odd{{"experiment", "x"}, {"build", {{"commit", 7}}}, {"machine", nullptr}};
  EXPECT_TRUE(
      junit_of_run({.context = odd, .planned = {}, .rows = {}, .failures = {}}).properties.empty());
}

TEST(Junit, HostileNamesAreWellFormed) {
  const std::string hostile =
      "a\"b<c>&amp;]]>'\x01\x1b\x7f\xff\xc3\xed\xa0\x80\xef\xbf\xbf\xc2\x9b\t\n\xe2\x82\xac";
  const std::string text =
      format_junit({.name = hostile,
                    .properties = {{hostile, hostile}},
                    .cases = {{.name = hostile, .result = Result::failure, .message = hostile}}});
  for (const char c : text) {
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' || c == '\r');
  }
  const pugi::xml_document document = parse(text);
  const std::string name =
      document.child("testsuites").child("testsuite").attribute("name").value();
  EXPECT_THAT(name, HasSubstr("a\"b<c>&amp;]]>'\xef\xbf\xbd"));
  EXPECT_THAT(name, HasSubstr("\xe2\x82\xac"));
  EXPECT_EQ(name.find("\xef\xbf\xbf"), std::string::npos);
  EXPECT_EQ(name.find("\xc2\x9b"), std::string::npos);
  const std::regex reference("&#0*([0-9]+);");
  for (std::sregex_iterator match(text.begin(), text.end(), reference), end; match != end;
       ++match) {
    EXPECT_THAT((*match)[1].str(), ::testing::AnyOf("9", "10", "13"));
  }
}

// A training job's time is that of its iterations, not of its synchronizations.
TEST(Junit, TimesATrainingJobByItsIterations) {
  record::Row job = tested_row(0);
  EXPECT_NEAR(measured_time(job).count(), 20e-3, 1e-12);
  job.training = record::TrainingRow{.jct = Seconds(3)};
  EXPECT_EQ(measured_time(job).count(), 3);
}

}  // namespace
}  // namespace gradwire::report
