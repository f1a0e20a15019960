#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// Measured and simulated side by side, for every point that ran on both backings: a table for
/// people. Of a training job the iterations are compared, too. Empty when no point ran on both.
[[nodiscard]] std::string format_backing_table(std::span<const record::Row> rows);

}  // namespace gradwire::report
