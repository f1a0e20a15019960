#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// A table of the rows that are training jobs: measured beside predicted iteration time, and the
/// origin of the computing times. Empty without such rows.
[[nodiscard]] std::string format_training_table(std::span<const record::Row> rows);

}  // namespace gradwire::report
