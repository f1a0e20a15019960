#include "results/report/metrics/definitions.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/table.h"
#include "results/report/metrics/metrics.h"

namespace gradwire::report {
namespace {

constexpr std::size_t kLineWidth = 98;  ///< behind "# "
constexpr std::size_t kHalfWidth = 48;

struct Entry {
  std::string_view name;
  std::string_view definition;
  friend bool operator==(const Entry&, const Entry&) = default;
};

Entry entry_of(const Metric& metric) {
  std::string_view definition = metric.definition;
  definition.remove_suffix(definition.ends_with('.') ? 1 : 0);
  return {metric.column.heading.empty() ? metric.name : metric.column.heading, definition};
}

/// Every column with numbers, each behind what it is a statistic of.
std::vector<Entry> entries_of(const Columns& columns) {
  std::vector<Entry> entries;
  for (const Metric* const column : columns) {
    if (stands_left(*column)) continue;
    const Metric* const whole = metric_at(column->json.substr(0, column->json.rfind('/')));
    if (whole != nullptr && whole->glossary) {
      if (std::ranges::find(entries, entry_of(*whole)) == entries.end()) {
        entries.push_back(entry_of(*whole));
      }
    }
    entries.push_back(entry_of(*column));
  }
  return entries;
}

/// The text behind a name `indent` columns wide, broken between words where a line is full.
std::string broken(std::string_view text, std::size_t indent) {
  return fmt::format(
      "{}", fmt::join(text::wrap(text, kLineWidth - indent), fmt::format("\n# {:{}}", "", indent)));
}

}  // namespace

std::string define(const Columns& columns, const Columns& known) {
  const std::vector<Entry> before = entries_of(known);
  std::vector<Entry> entries = entries_of(columns);
  std::erase_if(entries, [&](const Entry& entry) {
    return std::ranges::find(before, entry) != before.end();
  });
  std::size_t width = 0;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  const auto fits = [&](std::size_t i) {
    return i < entries.size() && width + 2 + entries[i].definition.size() <= kHalfWidth;
  };
  std::string lines;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string line =
        fmt::format("{:<{}}  {}", entries[i].name, width, broken(entries[i].definition, width + 2));
    if (fits(i) && fits(i + 1)) {
      line = fmt::format("{:<{}}  {:<{}}  {}", line, kHalfWidth, entries[i + 1].name, width,
                         entries[i + 1].definition);
      ++i;
    }
    lines += fmt::format("# {}\n", line);
  }
  return lines;
}

}  // namespace gradwire::report
