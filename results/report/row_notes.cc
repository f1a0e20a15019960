#include "results/report/result_table.h"

#include <set>

#include <fmt/core.h>

#include "results/record/flags.h"
#include "results/report/metrics/definitions.h"
#include "results/report/metrics/text_columns.h"

namespace gradwire::report {
namespace {

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
  const Columns columns = result_columns();
  return title_lines(title) + "#\n" + define(columns) +
         "# Times are divided by the dilation. GB/s = 1e9 B/s.\n#\n" + format_rows(columns, rows) +
         footer(rows);
}

}  // namespace gradwire::report
