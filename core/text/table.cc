#include "core/text/table.h"

#include <algorithm>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/text_check.h"

namespace gradwire::text {
namespace {

using Cells = std::vector<std::string>;

/// The width of each column.
std::vector<std::size_t> widths_of(std::span<const Heading> headings,
                                   const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    std::size_t widest = std::max(headings[i].name.size(), headings[i].unit.size());
    for (const Cells& cells : rows) widest = std::max(widest, cells[i].size());
    widths.push_back(headings[i].width == 0 ? widest : headings[i].width);
  }
  return widths;
}

/// One row, in as many lines as its tallest cell needs.
std::string format_row(std::string_view margin, std::span<const Heading> headings,
                       std::span<const std::size_t> widths, const Cells& cells) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 0;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    columns.push_back(wrap(cells[i], widths[i]));
    height = std::max(height, columns[i].size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string row(margin);
    for (std::size_t i = 0; i < headings.size(); ++i) {
      const std::string_view cell =
          line < columns[i].size() ? std::string_view(columns[i][line]) : "";
      row += headings[i].left ? fmt::format("{:<{}}  ", cell, widths[i])
                              : fmt::format("{:>{}}  ", cell, widths[i]);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
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

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    const bool blank = end != std::string_view::npos && end > 0;
    if (!blank) end = width;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + (blank ? 1 : 0));
  }
  lines.emplace_back(text);
  return lines;
}

std::string format_columns(std::span<const Heading> headings,
                           std::vector<std::vector<std::string>> rows, const Margins& margins) {
  Cells names;
  Cells units;
  for (const Heading& heading : headings) {
    names.emplace_back(heading.name);
    units.emplace_back(heading.unit);
  }
  for (Cells& cells : rows) {
    ensure(cells.size() == headings.size(), "a row has a cell per column");
    for (std::string& cell : cells) cell = plain_line(cell);  // it may come from a file
  }
  const std::vector<std::size_t> widths = widths_of(headings, rows);
  std::string text;
  for (const Cells& header : {names, units}) {
    const bool says_something =
        std::ranges::any_of(header, [](const std::string& cell) { return !cell.empty(); });
    if (says_something) text += format_row(margins.header, headings, widths, header);
  }
  for (const Cells& cells : rows) text += format_row(margins.row, headings, widths, cells);
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
