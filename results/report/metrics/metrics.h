#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "results/report/metrics/metric.h"

/// The one table of what is shown of a row. From it come the text tables (text_columns.h), the CSV
/// (csv.h), a row of results.json and its schema (row_json.h, row_schema.h) and the page's glossary
/// (glossary.h).
namespace gradwire::report {

/// All metrics, topic after topic.
[[nodiscard]] std::span<const Metric> metrics();

/// The metric of that name. Throws InternalError for a name that is none.
[[nodiscard]] const Metric& metric(std::string_view name);

/// The metric that a JSON pointer into a row means, or null.
[[nodiscard]] const Metric* metric_at(std::string_view pointer);

/// The metrics that a form shows, from left to right. `place` says where a metric stands in it.
[[nodiscard]] std::vector<const Metric*> shown(Place (*place)(const Metric&));

}  // namespace gradwire::report
