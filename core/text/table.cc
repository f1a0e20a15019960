#include "core/text/table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/text_check.h"

namespace gradwire::text {
namespace {

using Cells = std::vector<std::string>;

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// The characters of UTF-8 text.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

/// The offset at which the character of that number begins.
std::size_t offset_of(std::string_view text, std::size_t character) {
  std::size_t at = 0;
  for (std::size_t begun = 0; at < text.size(); ++at) {
    if (begins_character(text[at]) && begun++ == character) break;
  }
  return at;
}

/// The characters that a line may end with; all but the blank only where a word is too long.
constexpr std::string_view kEnds = " ,;(-/";
constexpr std::string_view kJoints = kEnds.substr(1);

/// The longest part of a text that ends behind one of these characters.
std::size_t longest_part(std::string_view text, std::string_view ends) {
  std::size_t longest = 0;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find_first_of(ends);
    const std::string_view part = text.substr(0, end == text.npos ? end : end + 1);
    longest = std::max(longest, characters(part.substr(0, part.find(' '))));
    text.remove_prefix(part.size());
  }
  return longest;
}

std::size_t longest_word(std::string_view text) {
  return longest_part(text, " ");
}

std::size_t longest_syllable(std::string_view text) {
  return longest_part(text, kEnds);
}

/// The width of each column, by what a cell needs.
std::vector<std::size_t> widths_of(std::span<const Heading> headings,
                                   const std::vector<Cells>& rows,
                                   std::size_t (*need)(std::string_view)) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    std::size_t widest = std::max(characters(headings[i].name), characters(headings[i].unit));
    for (const Cells& cells : rows) widest = std::max(widest, need(cells[i]));
    widths.push_back(headings[i].width == 0 ? widest : headings[i].width);
  }
  return widths;
}

/// Columns that stand left are narrowed, the widest first, until all together are `most` wide or
/// each is as narrow as it may be.
std::vector<std::size_t> narrowed(std::vector<std::size_t> widths,
                                  std::span<const Heading> headings,
                                  const std::vector<std::size_t>& least, std::size_t most) {
  std::size_t total = std::accumulate(widths.begin(), widths.end(), std::size_t{0});
  for (; total > most; --total) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool spare = headings[i].left && widths[i] > least[i];
      if (spare && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    --widths[widest];
  }
  return widths;
}

/// The width of each column in a table that keeps to its width as far as words allow.
std::vector<std::size_t> fitted_widths(std::span<const Heading> headings,
                                       const std::vector<Cells>& rows, const Margins& margins) {
  const std::vector<std::size_t> widths = widths_of(headings, rows, characters);
  if (margins.width == 0 || widths.empty()) return widths;
  const std::size_t between =
      std::max(margins.header.size(), margins.row.size()) + 2 * (widths.size() - 1);
  const std::size_t most = margins.width > between ? margins.width - between : 0;
  const auto narrow = [&](std::vector<std::size_t> wide, std::size_t (*need)(std::string_view)) {
    return narrowed(std::move(wide), headings, widths_of(headings, rows, need), most);
  };
  const std::vector<std::size_t> whole_words = narrow(widths, longest_word);
  return margins.breaks_words ? narrow(whole_words, longest_syllable) : whole_words;
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

/// "size 1024 B"
std::string said_once(const Heading& heading, const std::string& cell) {
  std::string_view unit = heading.unit;
  if (unit.starts_with('(')) unit = unit.substr(1, unit.size() - 2);
  return fmt::format("{} {}{}{}", heading.name, cell, unit.empty() ? "" : " ", unit);
}

/// Whether all rows have the same cell in a column. Not so without any row.
bool rows_agree(const std::vector<Cells>& rows, std::size_t column) {
  return !rows.empty() && std::ranges::all_of(rows, [&](const Cells& cells) {
    return cells[column] == rows.front()[column];
  });
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
  while (characters(text) > width) {
    const std::size_t full = offset_of(text, width);
    std::size_t end = text.rfind(' ', full);
    const bool blank = end != std::string_view::npos && end > 0;
    if (!blank) {
      const std::size_t joint = text.substr(0, full).find_last_of(kJoints);
      end = joint == std::string_view::npos ? full : joint + 1;
    }
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
  const std::vector<std::size_t> widths = fitted_widths(headings, rows, margins);
  std::string text;
  for (const Cells& header : {names, units}) {
    const bool says_something =
        std::ranges::any_of(header, [](const std::string& cell) { return !cell.empty(); });
    if (says_something) text += format_row(margins.header, headings, widths, header);
  }
  for (const Cells& cells : rows) text += format_row(margins.row, headings, widths, cells);
  return text;
}

std::string format_brief(std::span<const Heading> headings, const std::vector<Cells>& rows,
                         const Margins& margins) {
  Cells common;
  std::vector<Heading> shown;
  std::vector<Cells> kept(rows.size());
  for (const Cells& cells : rows) {
    ensure(cells.size() == headings.size(), "a row has a cell per column");
  }
  for (std::size_t i = 0; i < headings.size(); ++i) {
    if (headings[i].once && rows_agree(rows, i)) {
      const std::string& cell = rows.front()[i];
      if (cell != "-") common.push_back(said_once(headings[i], plain_line(cell)));
      continue;
    }
    shown.push_back(headings[i]);
    for (std::size_t row = 0; row < rows.size(); ++row) kept[row].push_back(rows[row][i]);
  }
  std::string line = "#\n";
  if (!common.empty()) {
    const auto lines = wrap(fmt::format("{}", fmt::join(common, ", ")), kTerminalWidth - 4);
    line = fmt::format("#\n# {}\n#\n", fmt::join(lines, "\n#   "));
  }
  return line + format_columns(shown, std::move(kept), margins);
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
