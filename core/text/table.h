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
  std::string_view unit = "";  ///< line below the name
  bool left = false;           ///< text is aligned left, numbers right
  std::size_t width = 0;       ///< if not 0, cells break between words to fit it
};

/// The prefixes of a table's lines.
struct Margins {
  std::string_view header = "#  ";
  std::string_view row = "   ";
};

/// Margins without any mark.
inline constexpr Margins kNoMargins{.header = "", .row = ""};

/// The time as a cell: microseconds with one digit after the point.
[[nodiscard]] std::string microseconds(Seconds time);

/// The lines of `text`, at most `width` characters each, broken at blanks where there are any.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// A table in text: a header of names, one of units if a column has one, and the rows. Columns
/// stand two spaces apart, as wide as their widest cell or as their heading says. There is no
/// header if no column has a name. Requires a cell per heading in every row.
[[nodiscard]] std::string format_columns(std::span<const Heading> headings,
                                         std::vector<std::vector<std::string>> rows,
                                         const Margins& margins = {});

/// A table in Markdown. Units stand behind the headings; widths do not count.
[[nodiscard]] std::string format_markdown(std::span<const Heading> headings,
                                          const std::vector<std::vector<std::string>>& rows);

}  // namespace gradwire::text
