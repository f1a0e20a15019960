#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace gradwire::text {

/// A column of a table in text.
struct Heading {
  std::string_view name;
  std::string_view unit = "";  ///< stands below the name
  bool left = false;           ///< text stands left, numbers right
  std::size_t width = 0;       ///< if not 0, cells break between words to fit it
  bool once = false;           ///< format_brief says it once, if all rows agree
};

/// The widest line of a table, in characters, where words allow it.
inline constexpr std::size_t kTerminalWidth = 120;

/// The prefixes of a table's lines, and their greatest width.
struct Margins {
  std::string_view header = "#  ";
  std::string_view row = "   ";
  std::size_t width = kTerminalWidth;  ///< 0: as wide as the cells are
  bool breaks_words = false;           ///< long words break inside of names, too
};

/// Margins without any mark.
inline constexpr Margins kNoMargins{.header = "", .row = ""};

/// The time as a cell: microseconds with one digit after the point.
[[nodiscard]] std::string microseconds(Seconds time);

/// `text` in lines of at most `width` characters of UTF-8, broken at blanks where there are
/// any, otherwise behind one of ",;(-/" where there is one.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A table in text: a header of names, one of units where a column has one, and the rows. Columns
/// stand two spaces apart, as wide as their widest cell or as their heading says. A table that would
/// be too wide breaks the cells that stand left between words, the widest columns first. There is no
/// header if no column has a name. Requires a cell per heading in every row.
[[nodiscard]] std::string format_columns(std::span<const Heading> headings,
                                         std::vector<std::vector<std::string>> rows,
                                         const Margins& margins = {});

/// A table as format_columns makes it, without the columns marked `once` whose cells all agree. A
/// line of '#' above it says these once: "size 1024 B, batch 32". It leaves out a "-". A '#' alone stands there
/// when they share nothing.
[[nodiscard]] std::string format_brief(std::span<const Heading> headings,
                                       const std::vector<std::vector<std::string>>& rows,
                                       const Margins& margins = {});

/// A table in Markdown. Units stand behind the headings; widths do not count.
[[nodiscard]] std::string format_markdown(std::span<const Heading> headings,
                                          const std::vector<std::vector<std::string>>& rows);

}  // namespace gradwire::text
