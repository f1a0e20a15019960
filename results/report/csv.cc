#include "results/report/csv.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/text_check.h"
#include "results/report/metrics/metrics.h"

namespace gradwire::report {

/// A safe cell for a name. Names of a strange folder may hold formulas for a spreadsheet, or
/// escapes for a terminal.
std::string csv_cell(std::string_view value) {
  std::string cell(value.find_first_of("=+-@\t\r") == 0 ? "'" : "");
  cell += text::plain_line(value);
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

namespace {

/// The value as a cell of the CSV; `null` is empty.
std::string cell(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_cell(value.get<std::string>());
  if (value.is_array()) {
    return csv_cell(fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), " ")));
  }
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

template <class Cell>
std::string line(std::span<const Metric* const> columns, Cell cell_of) {
  std::vector<std::string> cells;
  for (const Metric* const column : columns) cells.push_back(cell_of(*column));
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

std::string format_csv(std::span<const record::StoredRun> runs) {
  const std::vector<const Metric*> columns = shown([](const Metric& metric) {
    return Place{.shown = !metric.csv.name.empty(), .after = metric.csv.after};
  });
  std::string csv =
      line(columns, [](const Metric& metric) { return std::string(metric.csv.name); });
  for (const record::StoredRun& run : runs) {
    for (const record::StoredPoint& point : run.points) {
      const Subject subject{.row = point.row, .run = &run};
      csv += line(columns, [&](const Metric& metric) { return cell(metric.value(subject)); });
    }
  }
  return csv;
}

}  // namespace gradwire::report
