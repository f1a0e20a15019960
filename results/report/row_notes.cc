#include "results/report/row_notes.h"

#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/table.h"
#include "results/record/flags.h"

namespace gradwire::report {
namespace {

std::string remark(std::string_view text) {
  return fmt::format("# {}\n", fmt::join(text::wrap(text, text::kTerminalWidth - 4), "\n#   "));
}

}  // namespace

std::string row_notes(std::span<const record::Row> rows) {
  std::int64_t wrong = 0;
  std::size_t unverified = 0;
  std::size_t simulated = 0;
  std::set<std::string> marks;
  std::set<std::string> profiles;
  for (const record::Row& row : rows) {
    wrong += row.wrong.value_or(0);
    unverified += row.wrong || row.configuration.backing == record::Backing::simulated ? 0 : 1;
    simulated += row.configuration.backing == record::Backing::simulated ? 1 : 0;
    for (const std::string& flag : record::row_flags(row)) marks.insert(flag);
    if (row.training) profiles.insert(row.training->plan.profile);
  }
  std::string text = "#\n";
  if (simulated > 0)
    text +=
        "# simulated rows move no data; their Plans are proven to sum right (not-proven: not "
        "here)\n";
  if (simulated < rows.size()) text += fmt::format("# wrong elements in all: {}", wrong);
  if (unverified > 0) text += fmt::format(" ({} of {} rows not verified)", unverified, rows.size());
  if (simulated < rows.size()) text += "\n";
  for (const std::string& profile : profiles) text += remark("computing times " + profile);
  for (const std::string& flag : marks)
    text += remark(fmt::format("{}: {}", flag, record::explain_flag(flag)));
  return text;
}

}  // namespace gradwire::report
