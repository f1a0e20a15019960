#pragma once

#include <string_view>

namespace gradwire::claims {

/// The text of claims.yaml, as it was when this was built.
[[nodiscard]] std::string_view claims_text();

}  // namespace gradwire::claims
