#pragma once

#include <string>

#include "results/report/metrics/text_columns.h"

namespace gradwire::report {

/// Lines that begin with '#' and define the columns with numbers, behind the quantities that these
/// are statistics of: "# GST  ..." before "# gst_p50  ...". Short definitions share a line.
/// Definitions of the columns of `known` are left out.
[[nodiscard]] std::string define(const Columns& columns, const Columns& known = {});

}  // namespace gradwire::report
