#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/table.h"
#include "results/report/metrics/metric.h"

/// Metrics as columns of text tables.
namespace gradwire::report {

using Columns = std::vector<const Metric*>;

[[nodiscard]] Columns result_columns();
[[nodiscard]] Columns training_columns();
/// The columns of the table of fully connected layers.
[[nodiscard]] Columns dense_columns();

/// Whether a metric's cells stand left: texts and lists do, numbers stand right.
[[nodiscard]] bool stands_left(const Metric& metric);
/// A metric's heading, with its unit below.
[[nodiscard]] text::Heading heading(const Metric& metric);
/// What stands in a row's column: "-" where it has no value.
[[nodiscard]] std::string cell(const Metric& metric, const record::Row& row);

/// A header and a line per row (text::format_columns).
[[nodiscard]] std::string format_rows(const Columns& columns, std::span<const record::Row> rows);

}  // namespace gradwire::report
