#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/error.h"

namespace gradwire::workers {

/// Reason that ended a worker, as it says itself.
struct Failure {
  std::string message;
  std::string detail = {};              ///< message of a failure of the fabric, without its place
  std::optional<FabricFailure> fabric;  ///< absent: not the fabric's fault
  FabricPlace place;
  std::vector<Port> down = {};  ///< all ports of the rank that are, when one's link is down
};

[[nodiscard]] Failure describe_failure(const std::exception& error);
[[nodiscard]] nlohmann::json to_json(const Failure& failure);
/// Throws InternalError for what to_json did not make.
[[nodiscard]] Failure failure_from_json(const nlohmann::json& json);

}  // namespace gradwire::workers
