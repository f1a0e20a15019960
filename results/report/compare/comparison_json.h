#pragma once

#include <optional>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "results/report/compare/run_comparison.h"
#include "results/report/gate.h"

namespace gradwire::report {

/// Gate that was asked for, with the points that failed it.
struct AppliedGate {
  double max_gst_ratio = 0;
  std::span<const GateFailure> failures;
};

/// A comparison for programs: {"version": 1, "a", "b", "refused", "wrong_data", "differences",
/// "points", "only_a", "only_b", "gst_ratio_geometric_mean", "iteration_ratio_geometric_mean",
/// "gate"}; times in microseconds (*_us), null where something does not exist.
[[nodiscard]] nlohmann::json to_json(const RunComparison& comparison,
                                     const std::optional<AppliedGate>& gate);

}  // namespace gradwire::report
