#pragma once

#include <map>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/units.h"
#include "simulator/queue_network.h"

namespace gradwire::run {

/// What a wiring's emulated links are like beside their rate.
struct LinkFinding {
  Seconds startup{};        ///< of a message, beside its bytes and link.startup; undilated
  double burst = 0;         ///< bytes that a shaper lets through at once after a pause
  double burst_factor = 1;  ///< how much faster than the rate
  /// What fills their queues; absent where nobody knows, and where it is not TCP.
  std::optional<simulator::SocketModel> sockets = {};
};

/// By wiring.
using LinkFindings = std::map<std::string, LinkFinding>;

/// What was found of a wiring's links; nothing beside their rate where there is nothing.
[[nodiscard]] LinkFinding finding_of(const LinkFindings& findings, const std::string& wiring);

/// As calibration.json has it, under "sockets".
[[nodiscard]] nlohmann::json to_json(const std::optional<simulator::SocketModel>& sockets);

/// From the content of calibration.json; of null, none. Throws nlohmann::json::exception for
/// anything else.
[[nodiscard]] LinkFindings link_findings(const nlohmann::json& calibration);

}  // namespace gradwire::run
