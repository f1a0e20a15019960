#pragma once

#include <span>
#include <string>

#include "results/report/compare/run_comparison.h"
#include "results/report/gate.h"
#include "results/report/junit.h"

/// Reports of a comparison of two runs, for people and for CI servers.
namespace gradwire::report {

/// A table with a line per point, and one more for the iterations of a training job; below it
/// definitions, the geometric mean of the ratios, the points that only one run has, other
/// differences, and the meaning of each flag. At most text::kTerminalWidth wide, where words allow
/// it, unless `wide` asks for all columns. Ends with a newline.
[[nodiscard]] std::string format_comparison(const RunComparison& comparison, bool wide = false);

/// A JUnit case per point, with the time of B's iterations. Wrong elements and gate failures are
/// failures; points of A that B lacks are skipped unless the gate fails them. One more case says
/// whether the runs can be compared; a refusing difference is an error of it unless `anyway`.
[[nodiscard]] JunitSuite junit_of_comparison(const RunComparison& comparison,
                                             std::span<const GateFailure> failures, bool anyway);

}  // namespace gradwire::report
