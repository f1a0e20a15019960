#include "results/report/brief_table.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"
#include "results/report/metrics/metrics.h"

namespace gradwire::report {
namespace {

using record::Row;

/// A kind of rows.
using RowKind = bool Brief::*;

RowKind kind_of(const Row& row) {
  if (row.training) return &Brief::training;
  return row.dense ? &Brief::dense : &Brief::plain;
}

/// The rows of one table.
struct Part {
  record::Backing backing;
  RowKind kind;
  std::vector<const Row*> rows = {};
};

std::vector<Part> parts_of(std::span<const Row> rows) {
  std::vector<Part> parts;
  for (const Row& row : rows) {
    const record::Backing backing = row.configuration.backing;
    const RowKind kind = kind_of(row);
    auto part = std::ranges::find_if(
        parts, [&](const Part& other) { return other.backing == backing && other.kind == kind; });
    if (part == parts.end()) part = parts.insert(part, {.backing = backing, .kind = kind});
    part->rows.push_back(&row);
  }
  return parts;
}

bool all_are(const std::vector<std::string>& cells, std::string_view text) {
  return std::ranges::all_of(cells, [&](const std::string& cell) { return cell == text; });
}

Tables table_of(const Part& part) {
  Tables made;
  std::vector<text::Heading> headings;
  std::vector<std::vector<std::string>> lines(part.rows.size());
  for (const Metric& metric : metrics()) {
    if (!(metric.column.brief.*part.kind)) continue;
    std::vector<std::string> cells;
    for (const Row* const row : part.rows) cells.push_back(cell(metric, {.row = *row}, ", "));
    if (all_are(cells, "-") && metric.name != "flags") continue;
    made.columns.push_back(&metric);
    headings.push_back(heading(metric));
    headings.back().once = metric.column.brief.once;
    for (std::size_t i = 0; i < lines.size(); ++i) lines[i].push_back(std::move(cells[i]));
  }
  made.text = text::format_brief(headings, lines, {.breaks_words = true});
  return made;
}

}  // namespace

Tables brief_tables(std::span<const Row> rows) {
  Tables all;
  for (const Part& part : parts_of(rows)) {
    const Tables table = table_of(part);
    all.text += table.text;
    all.columns.insert(all.columns.end(), table.columns.begin(), table.columns.end());
  }
  return all;
}

}  // namespace gradwire::report
