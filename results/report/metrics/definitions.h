#pragma once

#include <string>

#include "results/report/metrics/text_columns.h"

namespace gradwire::report {

/// Lines that begin with '#' and define the columns that hold numbers, each once and in the order
/// of metrics(), behind what they are statistics of: "# GST  ..." before "# gst_p50  ...". Short
/// definitions share a line.
[[nodiscard]] std::string define(const Columns& columns);

}  // namespace gradwire::report
