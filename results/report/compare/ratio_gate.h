#pragma once

#include <vector>

#include "results/report/compare/ratio_gate.h"
#include "results/report/compare/run_comparison.h"
#include "results/report/gate.h"

namespace gradwire::report {

/// The points that fail a gate on the GST ratio: those above `max_ratio`, whatever the test says,
/// and those that cannot be judged: not fit, or of A and not in B.
[[nodiscard]] std::vector<GateFailure> ratio_failures(const RunComparison& comparison,
                                                      double max_ratio);

}  // namespace gradwire::report
