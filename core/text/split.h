#pragma once

#include <string_view>
#include <vector>

namespace gradwire::text {

/// The parts of a text between separators, at least one: "8x3" split at 'x' is "8" and "3", and an
/// empty text is one empty part. The parts are views into the text.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace gradwire::text
