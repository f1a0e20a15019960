#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "results/report/metrics/metric.h"

/// Table of all quantities that are shown of a row. From it come the text tables (text_columns.h),
/// the CSV (csv.h), a row of results.json and its schema (row_json.h, row_schema.h) and the page's
/// glossary (glossary.h).
namespace gradwire::report {

/// All metrics, topic after topic.
[[nodiscard]] std::span<const Metric> metrics();

/// The metric of that name. Throws InternalError for an unknown name.
[[nodiscard]] const Metric& metric(std::string_view name);

/// The metric at a JSON pointer into a row, or null.
[[nodiscard]] const Metric* metric_at(std::string_view pointer);

/// The metrics that a form shows, from left to right. `place` returns a metric's place in the form.
[[nodiscard]] std::vector<const Metric*> shown(Place (*place)(const Metric&));

}  // namespace gradwire::report
