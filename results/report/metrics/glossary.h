#pragma once

#include <nlohmann/json_fwd.hpp>

namespace gradwire::report {

/// The words of the page and what they mean: [{"name": "S", "definition": "Gradient bytes ..."}].
[[nodiscard]] nlohmann::json glossary();

}  // namespace gradwire::report
