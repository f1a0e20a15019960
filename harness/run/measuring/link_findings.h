#pragma once

#include <map>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/units.h"

namespace gradwire::run {

/// What a wiring's emulated links are like beside their rate.
struct LinkFinding {
  Seconds startup{};        ///< of a message, beside its bytes and link.startup; undilated
  double burst = 0;         ///< bytes that a shaper lets through at once after a pause
  double burst_factor = 1;  ///< how much faster than the rate
};

/// By wiring.
using LinkFindings = std::map<std::string, LinkFinding>;

/// What was found of a wiring's links; nothing beside their rate where there is nothing.
[[nodiscard]] LinkFinding finding_of(const LinkFindings& findings, const std::string& wiring);

/// From the content of calibration.json; of null, none. Throws nlohmann::json::exception for
/// anything else.
[[nodiscard]] LinkFindings link_findings(const nlohmann::json& calibration);

}  // namespace gradwire::run
