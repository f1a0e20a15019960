#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// The rows whose workload is fully connected layers, as a table of what their products add, and up to
/// how many samples late-multiply is faster where rows tell. Empty without any.
[[nodiscard]] std::string format_dense_table(std::span<const record::Row> rows);

}  // namespace gradwire::report
