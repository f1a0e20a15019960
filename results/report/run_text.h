#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/record/gain_query.h"
#include "results/record/row.h"
#include "results/record/stored_run.h"

/// Text of a run for people, which `gradwire run` prints at its end, and `gradwire results show`
/// later.
namespace gradwire::report {

/// The row of every point of the run, in its order.
[[nodiscard]] std::vector<record::Row> rows_of(const record::StoredRun& run);

/// Choice of how much of a run is shown.
struct RunForm {
  bool wide = false;                      ///< all columns of all tables
  std::vector<std::string> columns = {};  ///< one table of these columns (columns_named), if any
};

/// The tables of a run, and below them what their columns and flags mean. Without a form: what
/// answers the question, at most text::kTerminalWidth wide where words allow it. `gains` are the
/// jobs that the experiment compares. Empty when nothing was measured. Throws InputError for a
/// column that is none.
[[nodiscard]] std::string format_run(const record::StoredRun& run, const RunForm& form = {},
                                     const std::optional<record::GainQuery>& gains = {});

/// The problems of a run: what could not be read, a line each that is safe on a terminal. Empty
/// without any.
[[nodiscard]] std::string format_problems(const record::StoredRun& run);

}  // namespace gradwire::report
