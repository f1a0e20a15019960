#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"

namespace gradwire::text {

/// A column of a table in text: its name, the unit below it, and on which side its cells stand.
struct Heading {
  std::string_view name;
  std::string_view unit = "";
  bool left = false;  ///< text stands left, numbers right
};

/// A cell: microseconds with one digit after the point.
[[nodiscard]] std::string microseconds(Seconds time);

/// A header of two lines that begin with '#' (one when no column has a unit), and a line per row;
/// columns as wide as their widest cell, two spaces apart. Every row has a cell per heading.
[[nodiscard]] std::string format_columns(std::span<const Heading> headings,
                                         std::vector<std::vector<std::string>> rows);

/// The same as a table in Markdown. Units stand behind the headings.
[[nodiscard]] std::string format_markdown(std::span<const Heading> headings,
                                          const std::vector<std::vector<std::string>>& rows);

}  // namespace gradwire::text
