#include "results/report/metrics/definitions.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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
};

Entry entry_of(const Metric& metric) {
  std::string_view definition = metric.definition;
  definition.remove_suffix(definition.ends_with('.') ? 1 : 0);
  return {metric.kind == Kind::object ? metric.name : heading(metric).name, definition};
}

/// A column, what it is a statistic of, and what their definitions need.
void add(const Metric& metric, std::set<const Metric*>& wanted) {
  if (stands_left(metric) || !wanted.insert(&metric).second) return;
  const Metric* const whole = metric_at(metric.json.substr(0, metric.json.rfind('/')));
  if (whole != nullptr && whole->glossary) wanted.insert(whole);
  if (!metric.needs.empty()) add(report::metric(metric.needs), wanted);
}

std::vector<Entry> entries_of(const Columns& columns) {
  std::set<const Metric*> wanted;
  for (const Metric* const column : columns) add(*column, wanted);
  std::vector<Entry> entries;
  for (const Metric& each : metrics()) {
    if (wanted.contains(&each)) entries.push_back(entry_of(each));
  }
  return entries;
}

/// The text behind a name `indent` columns wide, broken between words where a line is full.
std::string broken(std::string_view text, std::size_t indent) {
  return fmt::format(
      "{}", fmt::join(text::wrap(text, kLineWidth - indent), fmt::format("\n# {:{}}", "", indent)));
}

}  // namespace

std::string define(const Columns& columns) {
  const std::vector<Entry> entries = entries_of(columns);
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
