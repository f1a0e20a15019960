#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// A table for people that shows measured and simulated times side by side, for every point that
/// ran on both backings. For a training job, iterations are compared, too. Empty when no point ran
/// on both.
[[nodiscard]] std::string format_backing_table(std::span<const record::Row> rows);

}  // namespace gradwire::report
