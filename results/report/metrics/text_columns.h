#pragma once

#include <span>
#include <string>
#include <string_view>
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

/// The columns of those names: headings of text tables, or names in the CSV. Throws InputError for
/// a name that no column has.
[[nodiscard]] Columns columns_named(std::span<const std::string> names);

/// Whether a metric's cells stand left: texts and lists do, numbers stand right.
[[nodiscard]] bool stands_left(const Metric& metric);
/// A metric's heading, with its unit below: its name in the CSV where no table has it.
[[nodiscard]] text::Heading heading(const Metric& metric);
/// Content of a row's column: "-" where it has no value. `between` stands between the parts of a
/// list.
[[nodiscard]] std::string cell(const Metric& metric, const Subject& subject,
                               std::string_view between = ",");
[[nodiscard]] inline std::string cell(const Metric& metric, const record::Row& row) {
  return cell(metric, Subject{.row = row});
}

/// A header and a line per row, as wide as they need be (text::format_columns).
[[nodiscard]] std::string format_rows(const Columns& columns, std::span<const record::Row> rows,
                                      const record::StoredRun* run = nullptr);

}  // namespace gradwire::report
