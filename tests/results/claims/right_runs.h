#pragma once

#include "results/claims/runs.h"

namespace gradwire::claims::testing {

/// A run of every experiment that claims look at. Those whose simulation takes milliseconds are
/// simulated, the others computed by formulas; what is measured is what was simulated. Made once.
[[nodiscard]] const Runs& right_runs();

}  // namespace gradwire::claims::testing
