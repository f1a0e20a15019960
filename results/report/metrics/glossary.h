#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gradwire::report {

/// The glossary of the page: [{"name": "S", "definition": "Gradient bytes ..."}].
[[nodiscard]] nlohmann::json glossary();

}  // namespace gradwire::report
