#pragma once

#include "results/claims/formulas.h"
#include "results/claims/runs.h"

namespace gradwire::claims {

/// How long the iterations of MG-WFBP and its rivals took in a run. `wanted` says all but the
/// schedule.
[[nodiscard]] inline Iterations iterations_of(const Rows& rows, Wanted wanted) {
  const auto time = [&](const char* schedule) {
    wanted.schedule = schedule;
    return rows.at(wanted);
  };
  const auto merged = time("mg-wfbp");
  return {.wfbp = time("wfbp").iteration(),
          .synceasgd = time("synceasgd").iteration(),
          .mg_wfbp = merged.iteration(),
          .optimum = time("optimum").iteration(),
          .messages = merged.messages(),
          .cost = merged.training().plan.cost.fit.line};
}

}  // namespace gradwire::claims
