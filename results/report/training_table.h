#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// The rows that are training jobs, as a table of what training adds: measured beside predicted
/// iteration time. Empty without any.
[[nodiscard]] std::string format_training_table(std::span<const record::Row> rows);

}  // namespace gradwire::report
