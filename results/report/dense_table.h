#pragma once

#include <span>
#include <string>

#include "results/record/row.h"

namespace gradwire::report {

/// A table of the rows whose workload is fully connected layers, with the times of their products,
/// and the number of samples up to which late-multiply is faster where the rows tell. Empty without
/// such rows.
[[nodiscard]] std::string format_dense_table(std::span<const record::Row> rows);

}  // namespace gradwire::report
