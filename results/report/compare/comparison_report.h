#pragma once

#include <span>
#include <string>

#include "results/report/compare/run_comparison.h"
#include "results/report/gate.h"
#include "results/report/junit.h"

/// A comparison of two runs, for people and for CI servers.
namespace gradwire::report {

/// A table like that of results/report/result_table.h: definitions, a line per point (and one more
/// for the iterations of a training job), then the geometric mean of the ratios, the points that
/// only one of them has, what else differs, and what each flag means. Ends with a newline.
[[nodiscard]] std::string format_comparison(const RunComparison& comparison);

/// A case per point, with the time of B's iterations: wrong elements and gate failures are
/// failures, points of A that B lacks are skipped unless the gate fails them. One more case says
/// whether the runs can be compared; what makes them differ is an error of it unless `anyway`.
[[nodiscard]] JunitSuite junit_of_comparison(const RunComparison& comparison,
                                             std::span<const GateFailure> failures, bool anyway);

}  // namespace gradwire::report
