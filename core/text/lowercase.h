#pragma once

#include <string>
#include <string_view>

namespace gradwire::text {

/// The text with a small letter for each capital letter of ASCII.
[[nodiscard]] std::string lowercase(std::string_view text);

}  // namespace gradwire::text
