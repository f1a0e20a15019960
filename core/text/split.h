#pragma once

#include <string_view>
#include <vector>

namespace gradwire::text {

/// The parts of a text between separators, at least one: "8x3" is "8" and "3" between x, and an empty
/// text one empty part. They refer to the text.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace gradwire::text
