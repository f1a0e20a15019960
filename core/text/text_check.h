#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gradwire::text {

/// A place in a text, counting from 1; columns count bytes, as compilers do.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;

  friend constexpr auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

struct TextFault {
  TextPosition position;
  std::string message;
};

/// The first thing that keeps `text` from being plain UTF-8 text: a malformed sequence, a control
/// character other than tab and line end, or a line of more than `longest_line` bytes.
[[nodiscard]] std::optional<TextFault> check_text(std::string_view text, std::size_t longest_line);

/// Whether every byte of `text` belongs to a well-formed sequence of UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Whether `text` has a control character other than tab and line end.
[[nodiscard]] bool has_control_character(std::string_view text);

/// The text with U+FFFD instead of every malformed byte and control character (also those of
/// Unicode's second block) other than tab and line end: plain UTF-8 text, safe on a terminal.
[[nodiscard]] std::string plain_text(std::string_view text);
/// The text as plain_text() on one line: tabs and line ends become spaces.
[[nodiscard]] std::string plain_line(std::string_view text);

/// The text without surrounding spaces and tabs.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The text quoted for a message: on one line, in ASCII, and cut after 60 characters.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace gradwire::text
