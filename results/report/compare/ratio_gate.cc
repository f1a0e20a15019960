#include "results/report/compare/ratio_gate.h"

#include <fmt/core.h>

namespace gradwire::report {

std::vector<GateFailure> ratio_failures(const RunComparison& comparison, double max_ratio) {
  std::vector<GateFailure> failures;
  for (const PointComparison& point : comparison.points) {
    if (!is_fit(point)) {
      failures.push_back({.configuration = point.configuration,
                          .reason = "its flags say that something else set the time, so it cannot "
                                    "be judged"});
      continue;
    }
    if (point.gst.ratio.ratio <= max_ratio) continue;
    failures.push_back(
        {.configuration = point.configuration,
         .reason = fmt::format("GST is {:.6g} times that of A, at most {:g} asked for",
                               point.gst.ratio.ratio, max_ratio)});
  }
  for (const record::Configuration& missing : comparison.only_a) {
    failures.push_back({.configuration = missing, .reason = "not in B, so it cannot be judged"});
  }
  return failures;
}

}  // namespace gradwire::report
