#pragma once

#include <string>

#include "results/report/metrics/text_columns.h"

namespace gradwire::report {

/// Lines that begin with '#' and define the columns that hold numbers, behind what they are
/// statistics of: "# GST  ..." before "# gst_p50  ...". Short definitions share a line. What the
/// columns of `known` have already defined is left out.
[[nodiscard]] std::string define(const Columns& columns, const Columns& known = {});

}  // namespace gradwire::report
