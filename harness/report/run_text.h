#pragma once

#include <string>
#include <vector>

#include "harness/report/result.h"
#include "harness/store/stored_run.h"

/// A run for people: what `gradwire run` prints when it is over, and `gradwire results show` later.
namespace gradwire::harness {

[[nodiscard]] std::vector<Row> rows_of(const StoredRun& run);

/// All tables of a run. Empty when nothing was measured.
[[nodiscard]] std::string format_run(const StoredRun& run);

/// Prints what could not be read to stderr, a line each.
void print_problems(const StoredRun& run);

}  // namespace gradwire::harness
