#include "harness/table.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "harness/flags.h"

namespace gradwire::harness {
namespace {

constexpr std::string_view kDefinitions =
    "#\n"
    "# size    S: gradient bytes per rank; count: elements per rank\n"
    "# gst     from the last rank's gradient ready to the last rank's result usable;\n"
    "#         median (p50) and nearest rank (p99) of the measured iterations\n"
    "# bound   the algorithm's closed form at the payload rate of the link\n"
    "# algbw   S / gst_p50          busbw  algbw * 2(N-1)/N      nicbw  busbw / k\n"
    "# eff%    100 bound / gst_p50  cv%    100 stdev / mean      #wrong elements off the exact "
    "sum\n"
    "# Times are divided by the dilation. GB/s = 1e9 B/s.\n"
    "#\n";

/// One column: its name and unit, and how a row fills it.
struct Column {
  std::string_view name;
  std::string_view unit;
  bool left;  ///< text stands left, numbers right
  std::string (*cell)(const Row&);
};

std::string microseconds(double seconds) {
  return fmt::format("{:.1f}", seconds * 1e6);
}

std::string microseconds(const std::optional<Seconds>& time) {
  return time ? microseconds(time->count()) : "-";
}

std::string gigabytes(double bytes_per_second) {
  return fmt::format("{:.3f}", bytes_per_second / 1e9);
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

std::string efficiency(const Row& row) {
  const std::optional<double> share = row.rates().efficiency;
  return share ? percent(100 * *share) : "-";
}

std::string flags(const Row& row) {
  const std::vector<std::string> flags = row_flags(row);
  return flags.empty() ? "-" : fmt::format("{}", fmt::join(flags, ","));
}

constexpr std::array kColumns = std::to_array<Column>({
    {"backing", "", true, [](const Row& row) { return row.configuration.backing; }},
    {"wiring", "", true, [](const Row& row) { return row.configuration.wiring; }},
    {"algo", "", true, [](const Row& row) { return row.configuration.algorithm; }},
    {"sched", "", true, [](const Row& row) { return row.configuration.schedule; }},
    {"N", "", false, [](const Row& row) { return fmt::to_string(row.configuration.ranks); }},
    {"k", "", false,
     [](const Row& row) { return fmt::to_string(row.configuration.ports_per_host); }},
    {"size", "(B)", false,
     [](const Row& row) { return fmt::to_string(row.configuration.bytes()); }},
    {"count", "(elem)", false,
     [](const Row& row) { return fmt::to_string(row.configuration.elements); }},
    {"type", "", true, [](const Row& row) { return row.configuration.type; }},
    {"gst_p50", "(us)", false, [](const Row& row) { return microseconds(row.gst.median); }},
    {"gst_p99", "(us)", false, [](const Row& row) { return microseconds(row.gst.p99); }},
    {"cv%", "", false, [](const Row& row) { return percent(row.gst.cv_percent); }},
    {"bound", "(us)", false, [](const Row& row) { return microseconds(row.bound); }},
    {"algbw", "(GB/s)", false, [](const Row& row) { return gigabytes(row.rates().algbw); }},
    {"busbw", "(GB/s)", false, [](const Row& row) { return gigabytes(row.rates().busbw); }},
    {"nicbw", "(GB/s)", false, [](const Row& row) { return gigabytes(row.rates().nicbw); }},
    {"eff%", "", false, efficiency},
    {"exposed%", "", false, [](const Row& row) { return percent(row.exposed_percent); }},
    {"#wrong", "", false,
     [](const Row& row) { return row.wrong ? fmt::to_string(*row.wrong) : "-"; }},
    {"jct", "(us)", false, [](const Row& row) { return microseconds(row.jct); }},
    {"flags", "", true, flags},
});

using Line = std::array<std::string, kColumns.size()>;

template <class Cell>
Line make_line(const Cell& cell) {
  Line line;
  std::ranges::transform(kColumns, line.begin(), cell);
  return line;
}

std::string format_line(std::string_view head, const Line& line,
                        const std::array<std::size_t, kColumns.size()>& widths) {
  std::string text(head);
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    text += kColumns[i].left ? fmt::format("  {:<{}}", line[i], widths[i])
                             : fmt::format("  {:>{}}", line[i], widths[i]);
  }
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string title_lines(const std::string& title) {
  std::string text = "# ";
  for (const char c : title) {
    text += c;
    if (c == '\n') text += "# ";
  }
  return text + "\n";
}

std::string footer(std::span<const Row> rows) {
  std::int64_t wrong = 0;
  std::size_t unverified = 0;
  std::set<std::string> marks;
  for (const Row& row : rows) {
    wrong += row.wrong.value_or(0);
    unverified += row.wrong ? 0 : 1;
    for (const std::string& flag : row_flags(row)) marks.insert(flag);
  }
  std::string text = fmt::format("#\n# wrong elements in all: {}", wrong);
  if (unverified > 0) text += fmt::format(" ({} of {} rows not verified)", unverified, rows.size());
  text += "\n";
  for (const std::string& flag : marks) text += fmt::format("# {}: {}\n", flag, explain_flag(flag));
  return text;
}

}  // namespace

std::string format_table(std::span<const Row> rows, const std::string& title) {
  const Line names = make_line([](const Column& column) { return std::string(column.name); });
  const Line units = make_line([](const Column& column) { return std::string(column.unit); });
  std::vector<Line> lines;
  for (const Row& row : rows) {
    lines.push_back(make_line([&](const Column& column) { return column.cell(row); }));
  }
  std::array<std::size_t, kColumns.size()> widths{};
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    widths[i] = std::max(names[i].size(), units[i].size());
    for (const Line& line : lines) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text = title_lines(title);
  text += kDefinitions;
  text += format_line("#", names, widths) + format_line("#", units, widths);
  for (const Line& line : lines) text += format_line(" ", line, widths);
  return text + footer(rows);
}

}  // namespace gradwire::harness
