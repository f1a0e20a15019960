#pragma once

#include <string>
#include <vector>

#include "results/record/row.h"
#include "results/record/stored_run.h"

/// Text of a run for people, which `gradwire run` prints at its end, and `gradwire results show`
/// later.
namespace gradwire::report {

/// The row of every point of the run, in its order.
[[nodiscard]] std::vector<record::Row> rows_of(const record::StoredRun& run);

/// All tables of a run. Empty when nothing was measured.
[[nodiscard]] std::string format_run(const record::StoredRun& run);

/// The problems of a run: what could not be read, a line each that is safe on a terminal. Empty
/// without any.
[[nodiscard]] std::string format_problems(const record::StoredRun& run);

}  // namespace gradwire::report
