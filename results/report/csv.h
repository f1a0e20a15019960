#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/record/stored_run.h"

namespace gradwire::report {

/// Formats tidy CSV (RFC 4180: lines end with CR LF) with a header and one row per point and
/// backing: its independent variables, from `experiment` to `dilation`, then its measured and
/// computed values. The columns are the metrics (metrics/metrics.h) that name one. Times are
/// undilated microseconds, rates 1e9 B/s, efficiency and shares without % are 1 for all of it,
/// flags are words with spaces between. Numbers have as many digits as they need to be read back
/// the same, and a '.', whatever the locale. A missing value is an empty cell. A text that a
/// spreadsheet could take for a formula has a ' before it.
[[nodiscard]] std::string format_csv(std::span<const record::StoredRun> runs);

/// A text as a cell: on one line, quoted where necessary, and with a ' before anything that a
/// spreadsheet could take for a formula.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace gradwire::report
