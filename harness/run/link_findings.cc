#include "harness/run/link_findings.h"

#include <limits>

#include <nlohmann/json.hpp>

namespace gradwire::run {
namespace {

/// None where nobody has said it, or what cannot be.
std::optional<simulator::SocketModel> sockets_in(const nlohmann::json& calibration) {
  const auto found = calibration.find("sockets");
  if (found == calibration.end() || found->is_null()) return std::nullopt;
  const simulator::SocketModel sockets{
      .segment = found->at("segment_bytes"),
      .window = found->at("window_bytes"),
      .unsent = found->at("unsent_bytes"),
      .unevenness = found->value("unevenness", 0.0),
      .queued_acknowledgements = found->value("queued_acknowledgements", false)};
  if (sockets.segment == 0 || sockets.window < sockets.segment) return std::nullopt;
  if (sockets.unevenness < 0 || sockets.unevenness >= 1) return std::nullopt;
  return sockets;
}

}  // namespace

LinkFinding finding_of(const LinkFindings& findings, const std::string& wiring) {
  const auto found = findings.find(wiring);
  return found == findings.end() ? LinkFinding{} : found->second;
}

nlohmann::json to_json(const std::optional<simulator::SocketModel>& sockets) {
  if (!sockets) return nullptr;
  return {{"segment_bytes", sockets->segment},
          {"window_bytes", sockets->window},
          {"unsent_bytes", sockets->unsent},
          {"unevenness", sockets->unevenness},
          {"queued_acknowledgements", sockets->queued_acknowledgements}};
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
                                                      : burst.get<double>() / expected,
                      .sockets = sockets_in(calibration)};
  }
  return findings;
}

}  // namespace gradwire::run
