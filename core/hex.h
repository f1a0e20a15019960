#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gradwire {

/// The bytes as text, with two hexadecimal digits for each.
[[nodiscard]] inline std::string to_hex(std::span<const char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    text += kDigits[static_cast<std::uint8_t>(byte) >> 4];
    text += kDigits[static_cast<std::uint8_t>(byte) & 0xf];
  }
  return text;
}

/// The bytes that these hexadecimal digits stand for. Nothing if the text is anything else.
[[nodiscard]] inline std::optional<std::string> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (; !text.empty(); text.remove_prefix(2)) {
    std::uint8_t byte = 0;
    const auto read = std::from_chars(text.data(), text.data() + 2, byte, 16);
    if (read.ptr != text.data() + 2) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace gradwire
