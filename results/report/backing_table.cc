#include "results/report/backing_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"
#include "results/report/metrics/metrics.h"
#include "results/report/metrics/text_columns.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kBackingDefinitions =
    "#\n"
    "# Measured and simulated: err% = 100 (simulated / measured - 1)\n"
    "#\n";

/// Names of the metrics that both rows share.
constexpr std::array kShared = std::to_array<std::string_view>(
    {"wiring", "algorithm", "workload", "batch", "schedule", "S", "bound"});

constexpr std::array kCompared = std::to_array<text::Heading>({
    {"measured", "gst(us)"},
    {"simulated", "gst(us)"},
    {"err%"},
    {"measured", "iter(us)"},
    {"simulated", "iter(us)"},
    {"err%"},
});

std::vector<text::Heading> headings() {
  std::vector<text::Heading> all;
  for (const std::string_view name : kShared) all.push_back(heading(metric(name)));
  all.insert(all.end(), kCompared.begin(), kCompared.end());
  return all;
}

std::string error(double simulated, double measured) {
  return fmt::format("{:+.1f}", 100 * (simulated / measured - 1));
}

std::vector<std::string> cells(const record::Row& measured, const record::Row& simulated) {
  std::vector<std::string> cells;
  for (const std::string_view name : kShared) cells.push_back(cell(metric(name), measured));
  cells.push_back(cell(metric("GST median"), measured));
  cells.push_back(cell(metric("GST median"), simulated));
  cells.push_back(error(simulated.gst.median, measured.gst.median));
  if (!measured.training || !simulated.training) {
    cells.insert(cells.end(), 3, "-");
    return cells;
  }
  cells.push_back(cell(metric("iteration median"), measured));
  cells.push_back(cell(metric("iteration median"), simulated));
  cells.push_back(error(simulated.training->iteration.median, measured.training->iteration.median));
  return cells;
}

}  // namespace

std::string format_backing_table(std::span<const record::Row> rows) {
  std::vector<std::vector<std::string>> lines;
  for (const record::Row& measured : rows) {
    if (measured.configuration.backing == record::Backing::simulated) continue;
    const auto simulated = std::ranges::find_if(rows, [&](const record::Row& row) {
      return row.configuration.backing == record::Backing::simulated &&
             record::same_but_for({record::Field::backing}, row.configuration,
                                  measured.configuration);
    });
    if (simulated != rows.end()) lines.push_back(cells(measured, *simulated));
  }
  if (lines.empty()) return "";
  return std::string(kBackingDefinitions) + text::format_columns(headings(), lines, {.width = 0});
}

}  // namespace gradwire::report
