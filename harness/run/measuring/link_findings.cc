#include "harness/run/measuring/link_findings.h"

#include <limits>

#include <nlohmann/json.hpp>

namespace gradwire::run {

LinkFinding finding_of(const LinkFindings& findings, const std::string& wiring) {
  const auto found = findings.find(wiring);
  return found == findings.end() ? LinkFinding{} : found->second;
}

LinkFindings link_findings(const nlohmann::json& calibration) {
  LinkFindings findings;
  if (calibration.is_null()) return findings;
  const double dilation = calibration.at("dilation");
  for (const auto& [name, wiring] : calibration.at("wirings").items()) {
    if (wiring.at("expected_bytes_per_s").is_null()) continue;  // unlimited: nothing to simulate
    const double expected = wiring.at("expected_bytes_per_s");
    const nlohmann::json& burst = wiring.at("burst_bytes_per_s");
    findings[name] = {.startup = Seconds(wiring.at("startup_us").get<double>() / 1e6 / dilation),
                      .burst = calibration.at("burst_bytes"),
                      .burst_factor = burst.is_null() ? std::numeric_limits<double>::infinity()
                                                      : burst.get<double>() / expected};
  }
  return findings;
}

}  // namespace gradwire::run
