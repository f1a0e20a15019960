#include "results/report/metrics/text_columns.h"

#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/suggest.h"
#include "results/report/metrics/metrics.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

/// The unit below a heading: "(us)"; empty where the heading itself says "%".
std::string_view unit_line(std::string_view unit) {
  static const std::map<std::string_view, std::string> lines = [] {
    std::map<std::string_view, std::string> made;
    for (const Metric& each : metrics()) made[each.unit] = fmt::format("({})", each.unit);
    made[""] = made["%"] = "";
    return made;
  }();
  return lines.at(unit);
}

std::string_view name_of(const Metric& metric) {
  return metric.column.heading.empty() ? metric.csv.name : metric.column.heading;
}

const Metric& column_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Metric& each : metrics()) {
    if (name_of(each).empty()) continue;
    if (name == each.column.heading || name == each.csv.name) return each;
    known.emplace_back(name_of(each));
  }
  throw InputError(fmt::format("{}; there are {}", text::unknown_name("column", name, known),
                               fmt::join(known, ", ")));
}

}  // namespace

Columns columns_named(std::span<const std::string> names) {
  Columns columns;
  for (const std::string& name : names) columns.push_back(&column_named(name));
  return columns;
}

bool stands_left(const Metric& metric) {
  return metric.kind == Kind::text || metric.kind == Kind::list;
}

Columns result_columns() {
  return shown([](const Metric& metric) { return metric.column.results; });
}

Columns training_columns() {
  return shown([](const Metric& metric) { return metric.column.training; });
}

Columns dense_columns() {
  return shown([](const Metric& metric) { return metric.column.dense; });
}

text::Heading heading(const Metric& metric) {
  return {name_of(metric), unit_line(metric.unit), stands_left(metric)};
}

std::string cell(const Metric& metric, const Subject& subject, std::string_view between) {
  const json value = metric.value(subject);
  if (value.is_null() || value == "" || value == json::array()) return "-";
  if (metric.kind == Kind::text) return value.get<std::string>();
  if (metric.kind == Kind::list) {
    return fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), between));
  }
  if (metric.kind != Kind::number) return value.dump();
  return fmt::format(fmt::runtime(metric.column.format),
                     metric.column.factor * value.get<double>());
}

std::string format_rows(const Columns& columns, std::span<const record::Row> rows,
                        const record::StoredRun* run) {
  std::vector<text::Heading> headings;
  for (const Metric* const column : columns) headings.push_back(heading(*column));
  std::vector<std::vector<std::string>> lines;
  for (const record::Row& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const Metric* const column : columns) {
      line.push_back(cell(*column, {.row = row, .run = run}));
    }
  }
  return text::format_columns(headings, lines, {.width = 0});
}

}  // namespace gradwire::report
