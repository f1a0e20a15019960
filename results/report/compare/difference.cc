#include "results/report/compare/difference.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/text_check.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

/// Severity of a difference at a path, or below it; the first rule that fits decides. Absent: none.
struct Rule {
  std::string_view path;
  std::optional<Severity> severity;
};

constexpr std::optional<Severity> kIgnore = std::nullopt;

constexpr std::array kRules = std::to_array<Rule>({
    {"experiment.link", Severity::refuse},
    {"experiment.compute", Severity::refuse},
    {"experiment.profile", Severity::refuse},
    {"experiment.failures", Severity::refuse},
    {"experiment.file", kIgnore},
    {"experiment.name", kIgnore},
    {"experiment.description", kIgnore},
    {"experiment.text", kIgnore},
    {"experiment.backing", kIgnore},
    {"experiment.backings", kIgnore},
    {"experiment.points", kIgnore},
    {"experiment.warmup", kIgnore},
    {"experiment.iterations", kIgnore},
    {"experiment.planned", kIgnore},
    {"experiment.dilation", kIgnore},
    {"experiment.prices", kIgnore},
    {"experiment.comparison", kIgnore},
    {"experiment.compare", kIgnore},
    {"experiment.timeout", kIgnore},
    {"experiment.max_time", kIgnore},
    {"experiment", Severity::warn},
    {"build", Severity::warn},
    {"machine.memory", kIgnore},
    {"machine.memory_available", kIgnore},
    {"machine.load", kIgnore},
    {"machine.limits", kIgnore},
    {"machine", Severity::warn},
});

std::optional<Severity> severity_of(std::string_view path) {
  const auto rule = std::ranges::find_if(kRules, [&](const Rule& candidate) {
    return path.starts_with(candidate.path) &&
           (path.size() == candidate.path.size() || path[candidate.path.size()] == '.');
  });
  return rule == kRules.end() ? kIgnore : rule->severity;
}

/// Values by path; a list is one value.
using Leaves = std::map<std::string, json>;

void add_leaves(const json& value, const std::string& path, Leaves& leaves) {
  if (!value.is_object()) {
    leaves[path] = value;
    return;
  }
  for (const auto& [key, below] : value.items()) add_leaves(below, path + '.' + key, leaves);
}

Leaves leaves_of(const json& context, std::string_view section) {
  Leaves leaves;
  if (context.is_object() && context.contains(section)) {
    add_leaves(context.at(section), std::string(section), leaves);
  }
  return leaves;
}

std::string shown(const Leaves& leaves, const std::string& path) {
  const auto found = leaves.find(path);
  if (found == leaves.end() || found->second.is_null()) return "nothing";
  const json& value = found->second;
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void add_section(const json& a, const json& b, std::string_view section,
                 std::vector<Difference>& differences) {
  const Leaves of_a = leaves_of(a, section);
  const Leaves of_b = leaves_of(b, section);
  std::set<std::string> paths;
  for (const auto& [path, value] : of_a) paths.insert(path);
  for (const auto& [path, value] : of_b) paths.insert(path);
  for (const std::string& path : paths) {
    const auto in_a = of_a.find(path);
    const auto in_b = of_b.find(path);
    if (in_a != of_a.end() && in_b != of_b.end() && in_a->second == in_b->second) continue;
    const std::optional<Severity> severity = severity_of(path);
    if (!severity) continue;
    differences.push_back(
        {.severity = *severity, .what = path, .a = shown(of_a, path), .b = shown(of_b, path)});
  }
}

bool names_links(const json& context) {
  return context.is_object() && context.contains("experiment") &&
         context.at("experiment").is_object() && context.at("experiment").contains("link");
}

std::string times_resumed(const json& context) {
  const bool known = context.is_object() && context.contains("resumed");
  return fmt::format("{} times", known ? context.at("resumed").size() : 0);
}

/// The values that the attempts of a resumed run have at a place, each once.
std::string when_resumed(const json& context, const char* place) {
  std::set<std::string> values;
  if (context.is_object() && context.contains("resumed")) {
    for (const json& attempt : context.at("resumed")) {
      const json::json_pointer pointer(place);
      values.insert(attempt.contains(pointer) ? attempt.at(pointer).dump() : "nothing");
    }
  }
  return values.empty() ? "nothing" : fmt::format("{}", fmt::join(values, ", "));
}

}  // namespace

std::string_view to_string(Severity severity) {
  return severity == Severity::refuse ? "refuse" : "warn";
}

std::string Difference::message() const {
  std::string text = fmt::format("{}: {} in A, {} in B", what, a, b);
  if (!points.empty()) text += " (" + points.front();
  if (points.size() > 1) text += fmt::format(", and {} more", points.size() - 1);
  if (!points.empty()) text += ")";
  return text::plain_line(text);
}

void add_point_difference(std::vector<Difference>& differences, Difference difference,
                          const std::string& point) {
  const auto same = std::ranges::find_if(differences, [&](const Difference& known) {
    return !known.points.empty() && known.severity == difference.severity &&
           known.what == difference.what && known.a == difference.a && known.b == difference.b;
  });
  if (same != differences.end()) {
    same->points.push_back(point);
    return;
  }
  difference.points = {point};
  differences.push_back(std::move(difference));
}

std::vector<Difference> context_differences(const json& a, const json& b, bool measured) {
  std::vector<Difference> differences;
  if (!names_links(a) && !names_links(b)) {
    differences.push_back(
        {.severity = Severity::refuse, .what = "experiment.link", .a = "unknown", .b = "unknown"});
  }
  add_section(a, b, "experiment", differences);
  add_section(a, b, "build", differences);
  if (measured) add_section(a, b, "machine", differences);
  if (times_resumed(a) != times_resumed(b)) {
    differences.push_back({.what = "resumed", .a = times_resumed(a), .b = times_resumed(b)});
  }
  for (const char* what : {"/build/commit", "/machine/host", "/machine/kernel"}) {
    const std::string in_a = when_resumed(a, what);
    const std::string in_b = when_resumed(b, what);
    if (in_a == in_b) continue;
    differences.push_back({.what = fmt::format("resumed{}", what), .a = in_a, .b = in_b});
  }
  return differences;
}

}  // namespace gradwire::report
