#pragma once

#include <span>
#include <string>

#include "results/record/row.h"
#include "results/report/metrics/text_columns.h"

namespace gradwire::report {

/// Tables in text, and the columns that are to be defined below them.
struct Tables {
  std::string text;
  Columns columns;
};

/// The tables that answer the question, at most text::kTerminalWidth wide where words allow it: one
/// for each backing and each kind of rows (Brief), in the order of the rows. Above it stands what
/// all its rows have in common. A column without any value is left out.
[[nodiscard]] Tables brief_tables(std::span<const record::Row> rows);

}  // namespace gradwire::report
