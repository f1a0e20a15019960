#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gradwire {

/// The number in the text, read by std::from_chars without blanks or a plus sign. Nothing if the
/// whole text is not one number, or if Number cannot hold it.
template <class Number>
[[nodiscard]] std::optional<Number> to_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace gradwire
