#include "text/table.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.h"
#include "text/text_check.h"

namespace gradwire::text {
namespace {

std::string format_line(std::string_view head, std::span<const Heading> headings,
                        const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) {
  std::string text(head);
  for (std::size_t i = 0; i < headings.size(); ++i) {
    text += headings[i].left ? fmt::format("  {:<{}}", cells[i], widths[i])
                             : fmt::format("  {:>{}}", cells[i], widths[i]);
  }
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) {
    text += ' ';
    for (const char c : plain_line(cell)) {
      if (c == '|') text += '\\';
      text += c;
    }
    text += cell.empty() ? "|" : " |";
  }
  return text + "\n";
}

}  // namespace

std::string microseconds(Seconds time) {
  return fmt::format("{:.1f}", time.count() * 1e6);
}

std::string format_columns(std::span<const Heading> headings,
                           std::vector<std::vector<std::string>> rows) {
  std::vector<std::string> names;
  std::vector<std::string> units;
  std::vector<std::size_t> widths;
  for (const Heading& heading : headings) {
    names.emplace_back(heading.name);
    units.emplace_back(heading.unit);
    widths.push_back(std::max(heading.name.size(), heading.unit.size()));
  }
  for (auto& cells : rows) {
    ensure(cells.size() == headings.size(), "a row has a cell per column");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = plain_line(cells[i]);  // it may come from a file
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  std::string text = format_line("#", headings, names, widths);
  const bool has_units = std::ranges::any_of(units, [](const auto& unit) { return !unit.empty(); });
  if (has_units) text += format_line("#", headings, units, widths);
  for (const auto& cells : rows) text += format_line(" ", headings, cells, widths);
  return text;
}

std::string format_markdown(std::span<const Heading> headings,
                            const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> names;
  std::string rule = "|";
  for (const Heading& heading : headings) {
    names.push_back(heading.unit.empty() ? std::string(heading.name)
                                         : fmt::format("{} {}", heading.name, heading.unit));
    rule += heading.left ? "---|" : "---:|";
  }
  std::string text = markdown_line(names) + rule + "\n";
  for (const auto& cells : rows) {
    ensure(cells.size() == headings.size(), "a row has a cell per column");
    text += markdown_line(cells);
  }
  return text;
}

}  // namespace gradwire::text
