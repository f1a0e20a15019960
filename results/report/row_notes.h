#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// The result table, in the manner of nccl-tests: lines that begin with '#' hold definitions, units
/// and column names, then one line per row, then '#' lines with the wrong elements in all and what
/// each flag means. `title` is the first line; it may have several lines. Columns are as wide as
/// their content; '-' stands where a value does not exist. A row whose efficiency is over 100 %
/// always carries a flag (row_flags). Ends with a newline.
[[nodiscard]] std::string format_table(std::span<const record::Row> rows, const std::string& title);

}  // namespace gradwire::report
