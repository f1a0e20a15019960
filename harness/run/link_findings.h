#pragma once

#include <map>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/units.h"
#include "simulator/queue_network.h"

namespace gradwire::run {

/// Properties of a wiring's emulated links beside their rate.
struct LinkFinding {
  Seconds startup{};        ///< start-up of a message, beside its bytes and link.startup; undilated
  double burst = 0;         ///< bytes that a shaper lets through at once after a pause
  double burst_factor = 1;  ///< speed of a burst, as a multiple of the rate
  /// Model of what fills their queues; absent where nobody knows, and where it is not TCP.
  std::optional<simulator::SocketModel> sockets = {};
};

/// Findings on links, by wiring.
using LinkFindings = std::map<std::string, LinkFinding>;

/// Findings on a wiring's links; nothing beside their rate where there is nothing.
[[nodiscard]] LinkFinding finding_of(const LinkFindings& findings, const std::string& wiring);

/// Value of "sockets" in calibration.json.
[[nodiscard]] nlohmann::json to_json(const std::optional<simulator::SocketModel>& sockets);

/// Findings in the content of calibration.json; of null, none. Throws nlohmann::json::exception for
/// anything else.
[[nodiscard]] LinkFindings link_findings(const nlohmann::json& calibration);

}  // namespace gradwire::run
