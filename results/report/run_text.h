#pragma once

#include <string>
#include <vector>

#include "results/record/row.h"
#include "results/record/stored_run.h"

/// A run for people: what `gradwire run` prints when it is over, and `gradwire results show` later.
namespace gradwire::report {

/// The row of every point of the run, in its order.
[[nodiscard]] std::vector<record::Row> rows_of(const record::StoredRun& run);

/// All tables of a run. Empty when nothing was measured.
[[nodiscard]] std::string format_run(const record::StoredRun& run);

/// What could not be read of a run, a line each that is safe on a terminal. Empty when all could.
[[nodiscard]] std::string format_problems(const record::StoredRun& run);

}  // namespace gradwire::report
