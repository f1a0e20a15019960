#include "results/report/junit.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "core/text/text_check.h"
#include "results/record/flags.h"
#include "results/record/point_name.h"

namespace gradwire::report {
namespace {

using nlohmann::json;
using Result = JunitCase::Result;

/// Names of a result: its element in a testcase, and the attribute of its number in a testsuite.
struct ResultNames {
  Result result;
  const char* element;
  const char* count;
};
constexpr std::array kResultNames = std::to_array<ResultNames>({
    {Result::failure, "failure", "failures"},
    {Result::error, "error", "errors"},
    {Result::skipped, "skipped", "skipped"},
});

/// The text for XML, which has no U+FFFE and U+FFFF either.
std::string xml_text(std::string_view text) {
  std::string plain = text::plain_text(text);
  for (const std::string_view noncharacter : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t at = 0; (at = plain.find(noncharacter, at)) != std::string::npos;) {
      plain[at + 2] = '\xbd';
    }
  }
  return plain;
}

void set(pugi::xml_node node, const char* attribute, std::string_view value) {
  node.append_attribute(attribute).set_value(xml_text(value).c_str());
}

std::string seconds(Seconds time) {
  return fmt::format("{:.9f}", time.count());
}

void add_properties(pugi::xml_node suite, const JunitSuite& from) {
  if (from.properties.empty()) return;
  pugi::xml_node properties = suite.append_child("properties");
  for (const auto& [name, value] : from.properties) {
    pugi::xml_node property = properties.append_child("property");
    set(property, "name", name);
    set(property, "value", value);
  }
}

void add_case(pugi::xml_node suite, const JunitSuite& from, const JunitCase& of) {
  pugi::xml_node testcase = suite.append_child("testcase");
  set(testcase, "classname", from.name);
  set(testcase, "name", of.name);
  set(testcase, "time", seconds(of.time));
  const auto names = std::ranges::find(kResultNames, of.result, &ResultNames::result);
  if (names == kResultNames.end()) return;
  set(testcase.append_child(names->element), "message", of.message);
}

const json* find(const json& context, std::string_view section, std::string_view key) {
  if (!context.is_object() || !context.contains(section)) return nullptr;
  const json& found = context.at(section);
  return found.is_object() && found.contains(key) ? &found.at(key) : nullptr;
}

std::string text_at(const json& context, std::string_view section, std::string_view key) {
  const json* value = find(context, section, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool is_incomplete(const record::Row& row) {
  return std::ranges::find(row.flags, record::kFlagIncomplete) != row.flags.end();
}

JunitCase case_of(const record::Row& row, const RunOutcome& outcome) {
  JunitCase made{.name = record::point_name(row.configuration), .time = measured_time(row)};
  const auto failure =
      std::ranges::find(outcome.failures, row.configuration, &GateFailure::configuration);
  if (row.wrong.value_or(0) != 0) {
    made.result = Result::failure;
    made.message = fmt::format("{} elements are not the exact sum", *row.wrong);
  } else if (outcome.ended_because && is_incomplete(row)) {
    made.result = Result::error;
    made.message = *outcome.ended_because;
  } else if (failure != outcome.failures.end()) {
    made.result = Result::failure;
    made.message = failure->reason;
  }
  return made;
}

}  // namespace

std::string format_junit(const JunitSuite& suite) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node node = document.append_child("testsuites").append_child("testsuite");
  set(node, "name", suite.name);
  set(node, "tests", fmt::to_string(suite.cases.size()));
  for (const ResultNames& names : kResultNames) {
    const auto count = std::ranges::count(suite.cases, names.result, &JunitCase::result);
    set(node, names.count, fmt::to_string(count));
  }
  Seconds time{};
  for (const JunitCase& of : suite.cases) time += of.time;
  set(node, "time", seconds(time));
  if (!suite.started.empty()) set(node, "timestamp", suite.started);
  add_properties(node, suite);
  for (const JunitCase& of : suite.cases) add_case(node, suite, of);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

JunitSuite junit_of_run(const RunOutcome& outcome) {
  JunitSuite suite{.name = text_at(outcome.context, "experiment", "name"),
                   .properties = junit_properties(outcome.context)};
  if (outcome.context.is_object()) suite.started = outcome.context.value("started", "");
  const auto emulated = std::ranges::find_if(outcome.rows, [](const record::Row& row) {
    return row.configuration.backing == record::Backing::emulated;
  });
  if (emulated != outcome.rows.end()) {
    suite.properties.emplace_back("dilation", fmt::format("{}", emulated->dilation));
  }
  bool error_shown = false;
  for (const record::Configuration& planned : outcome.planned) {
    const auto row = std::ranges::find(outcome.rows, planned, &record::Row::configuration);
    if (row == outcome.rows.end()) {
      suite.cases.push_back({.name = record::point_name(planned),
                             .result = Result::skipped,
                             .message = "the run ended before it was measured"});
      continue;
    }
    suite.cases.push_back(case_of(*row, outcome));
    error_shown = error_shown || suite.cases.back().result == Result::error;
  }
  if (outcome.ended_because && !error_shown) {
    suite.cases.push_back(
        {.name = "the run", .result = Result::error, .message = *outcome.ended_because});
  }
  return suite;
}

Seconds measured_time(const record::Row& row) {
  if (row.training) return row.training->jct;
  return Seconds(row.gst.mean * static_cast<double>(row.gst.n));
}

std::vector<std::pair<std::string, std::string>> junit_properties(const json& context,
                                                                  const std::string& prefix) {
  std::vector<std::pair<std::string, std::string>> properties;
  const auto add = [&](const char* section, const char* key) {
    const std::string value = text_at(context, section, key);
    if (!value.empty()) properties.emplace_back(prefix + key, value);
  };
  add("build", "commit");
  add("machine", "kernel");
  return properties;
}

}  // namespace gradwire::report
