#include "results/report/result_table.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "results/record/flags.h"
#include "text/table.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kDefinitions =
    "#\n"
    "# size    S: gradient bytes per rank; count: elements per rank\n"
    "# gst     from the last rank's gradient ready to the last rank's result usable;\n"
    "#         median (p50) and nearest rank (p99) of the measured iterations;\n"
    "#         of a training job, all buckets' together, each from the last rank's start\n"
    "# bound   what the most loaded link carries, step after step, at the payload rate\n"
    "# cut     what no algorithm can beat on this wiring; see the costs below\n"
    "# algbw   S / gst_p50          busbw  algbw * 2(N-1)/N      nicbw  busbw / k\n"
    "# eff%    100 bound / gst_p50  cv%    100 stdev / mean      #wrong elements off the exact "
    "sum\n"
    "# Times are divided by the dilation. GB/s = 1e9 B/s.\n"
    "#\n";

/// One column, and how a row fills it.
struct Column {
  text::Heading heading;
  std::string (*cell)(const record::Row&);
};

std::string gigabytes(double bytes_per_second) {
  return fmt::format("{:.3f}", bytes_per_second / 1e9);
}

std::string percent(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f}", *value) : "-";
}

std::string efficiency(const record::Row& row) {
  const std::optional<double> share = row.rates().efficiency;
  return share ? percent(100 * *share) : "-";
}

std::string exposed(const record::Row& row) {
  return row.training ? percent(row.training->exposed_percent()) : "-";
}

std::string jct(const record::Row& row) {
  return row.training ? text::microseconds(row.training->jct) : "-";
}

std::string flags(const record::Row& row) {
  const std::vector<std::string> flags = record::row_flags(row);
  return flags.empty() ? "-" : fmt::format("{}", fmt::join(flags, ","));
}

constexpr std::array kColumns = std::to_array<Column>({
    {{"backing", "", true},
     [](const record::Row& row) { return to_string(row.configuration.backing); }},
    {{"wiring", "", true}, [](const record::Row& row) { return row.configuration.wiring; }},
    {{"algo", "", true}, [](const record::Row& row) { return row.configuration.algorithm; }},
    {{"sched", "", true}, [](const record::Row& row) { return row.configuration.schedule; }},
    {{"N", "", false},
     [](const record::Row& row) { return fmt::to_string(row.configuration.ranks); }},
    {{"k", "", false},
     [](const record::Row& row) { return fmt::to_string(row.configuration.ports_per_host); }},
    {{"size", "(B)", false},
     [](const record::Row& row) { return fmt::to_string(row.configuration.bytes()); }},
    {{"count", "(elem)", false},
     [](const record::Row& row) { return fmt::to_string(row.configuration.elements); }},
    {{"type", "", true}, [](const record::Row& row) { return row.configuration.type; }},
    {{"gst_p50", "(us)", false},
     [](const record::Row& row) { return text::microseconds(Seconds(row.gst.median)); }},
    {{"gst_p99", "(us)", false},
     [](const record::Row& row) { return text::microseconds(Seconds(row.gst.p99)); }},
    {{"cv%", "", false}, [](const record::Row& row) { return percent(row.gst.cv_percent); }},
    {{"bound", "(us)", false},
     [](const record::Row& row) { return row.bound ? text::microseconds(*row.bound) : "-"; }},
    {{"cut", "(us)", false},
     [](const record::Row& row) { return row.wiring ? text::microseconds(row.wiring->cut) : "-"; }},
    {{"algbw", "(GB/s)", false},
     [](const record::Row& row) { return gigabytes(row.rates().algbw); }},
    {{"busbw", "(GB/s)", false},
     [](const record::Row& row) { return gigabytes(row.rates().busbw); }},
    {{"nicbw", "(GB/s)", false},
     [](const record::Row& row) { return gigabytes(row.rates().nicbw); }},
    {{"eff%", "", false}, efficiency},
    {{"exposed%", "", false}, exposed},
    {{"#wrong", "", false},
     [](const record::Row& row) { return row.wrong ? fmt::to_string(*row.wrong) : "-"; }},
    {{"jct", "(us)", false}, jct},
    {{"flags", "", true}, flags},
});

std::string title_lines(const std::string& title) {
  std::string text = "# ";
  for (const char c : title) {
    text += c;
    if (c == '\n') text += "# ";
  }
  return text + "\n";
}

std::string footer(std::span<const record::Row> rows) {
  std::int64_t wrong = 0;
  std::size_t unverified = 0;
  std::size_t simulated = 0;
  std::set<std::string> marks;
  for (const record::Row& row : rows) {
    wrong += row.wrong.value_or(0);
    unverified += row.wrong || row.configuration.backing == record::Backing::simulated ? 0 : 1;
    simulated += row.configuration.backing == record::Backing::simulated ? 1 : 0;
    for (const std::string& flag : record::row_flags(row)) marks.insert(flag);
  }
  std::string text = "#\n";
  if (simulated > 0)
    text +=
        "# simulated rows move no data; their Plans are proven to sum right (not-proven: not "
        "here)\n";
  if (simulated < rows.size()) text += fmt::format("# wrong elements in all: {}", wrong);
  if (unverified > 0) text += fmt::format(" ({} of {} rows not verified)", unverified, rows.size());
  if (simulated < rows.size()) text += "\n";
  for (const std::string& flag : marks)
    text += fmt::format("# {}: {}\n", flag, record::explain_flag(flag));
  return text;
}

}  // namespace

std::string format_table(std::span<const record::Row> rows, const std::string& title) {
  std::vector<text::Heading> headings;
  for (const Column& column : kColumns) headings.push_back(column.heading);
  std::vector<std::vector<std::string>> lines;
  for (const record::Row& row : rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const Column& column : kColumns) line.push_back(column.cell(row));
  }
  return title_lines(title) + std::string(kDefinitions) + text::format_columns(headings, lines) +
         footer(rows);
}

}  // namespace gradwire::report
