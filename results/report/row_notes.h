#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// Lines below the tables of a run, which begin with '#': the wrong elements in all, where the
/// computing times of training jobs come from, and what each flag that occurs means.
[[nodiscard]] std::string row_notes(std::span<const record::Row> rows);

}  // namespace gradwire::report
