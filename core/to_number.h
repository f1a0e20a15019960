#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gradwire {

/// The number that the whole text says, as std::from_chars reads it: without blanks or a plus sign.
/// Nothing when the text says something else, or a number that Number cannot hold.
template <class Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace gradwire
