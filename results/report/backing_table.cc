#include "results/report/backing_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "text/table.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kDefinitions =
    "#\n"
    "# Measured and simulated: err% = 100 (simulated / measured - 1)\n"
    "#\n";

constexpr std::array kHeadings = std::to_array<text::Heading>({
    {"wiring", "", true},
    {"algo", "", true},
    {"workload", "", true},
    {"batch"},
    {"sched", "", true},
    {"size", "(B)"},
    {"bound", "(us)"},
    {"measured", "gst(us)"},
    {"simulated", "gst(us)"},
    {"err%"},
    {"measured", "iter(us)"},
    {"simulated", "iter(us)"},
    {"err%"},
});

std::string error(double simulated, double measured) {
  return fmt::format("{:+.1f}", 100 * (simulated / measured - 1));
}

std::vector<std::string> cells(const record::Row& measured, const record::Row& simulated) {
  const record::Configuration& c = measured.configuration;
  std::vector<std::string> cells{c.wiring,
                                 c.algorithm,
                                 c.workload.empty() ? "-" : c.workload,
                                 c.batch == 0 ? "-" : fmt::to_string(c.batch),
                                 c.schedule,
                                 fmt::to_string(c.bytes()),
                                 measured.bound ? text::microseconds(*measured.bound) : "-",
                                 text::microseconds(Seconds(measured.gst.median)),
                                 text::microseconds(Seconds(simulated.gst.median)),
                                 error(simulated.gst.median, measured.gst.median)};
  if (!measured.training || !simulated.training) {
    cells.insert(cells.end(), 3, "-");
    return cells;
  }
  const double ours = simulated.training->iteration.median;
  const double theirs = measured.training->iteration.median;
  cells.push_back(text::microseconds(Seconds(theirs)));
  cells.push_back(text::microseconds(Seconds(ours)));
  cells.push_back(error(ours, theirs));
  return cells;
}

}  // namespace

std::string format_backing_table(std::span<const record::Row> rows) {
  std::vector<std::vector<std::string>> lines;
  for (const record::Row& measured : rows) {
    if (measured.configuration.backing == record::Backing::simulated) continue;
    const auto simulated = std::ranges::find_if(rows, [&](const record::Row& row) {
      return row.configuration.backing == record::Backing::simulated &&
             row.configuration.point == measured.configuration.point;
    });
    if (simulated != rows.end()) lines.push_back(cells(measured, *simulated));
  }
  if (lines.empty()) return "";
  return std::string(kDefinitions) + text::format_columns(kHeadings, lines);
}

}  // namespace gradwire::report
