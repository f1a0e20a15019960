#include "core/text/text_check.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/core.h>

namespace gradwire::text {
namespace {

bool is_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f;
}

/// A range of lead bytes of well-formed sequences (Unicode, table 3-7).
struct Form {
  unsigned char first_low, first_high;
  unsigned char second_low, second_high;
  std::size_t bytes;
};

constexpr std::array kForms = std::to_array<Form>({
    {0x00, 0x7f, 0, 0, 1},
    {0xc2, 0xdf, 0x80, 0xbf, 2},
    {0xe0, 0xe0, 0xa0, 0xbf, 3},
    {0xe1, 0xec, 0x80, 0xbf, 3},
    {0xed, 0xed, 0x80, 0x9f, 3},
    {0xee, 0xef, 0x80, 0xbf, 3},
    {0xf0, 0xf0, 0x90, 0xbf, 4},
    {0xf1, 0xf3, 0x80, 0xbf, 4},
    {0xf4, 0xf4, 0x80, 0x8f, 4},
});

/// The number of bytes in the sequence that `text` begins with; 0 if it is malformed. Requires
/// text.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto form = std::ranges::find_if(kForms, [&](const Form& candidate) {
    return candidate.first_low <= byte(0) && byte(0) <= candidate.first_high;
  });
  if (form == kForms.end() || text.size() < form->bytes) return 0;
  if (form->bytes > 1 && (byte(1) < form->second_low || byte(1) > form->second_high)) return 0;
  for (std::size_t i = 2; i < form->bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return form->bytes;
}

}  // namespace

std::optional<TextFault> check_text(std::string_view text, std::size_t longest_line) {
  TextPosition position;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t bytes = sequence_length(text.substr(i));
    if (bytes == 0) {
      return TextFault{position, fmt::format("byte 0x{:02x} is not UTF-8 text", byte)};
    }
    if (is_control(byte)) {
      return TextFault{position, fmt::format("control character 0x{:02x} is not allowed", byte)};
    }
    if (position.column > longest_line) {
      return TextFault{position, fmt::format("a line of more than {} bytes", longest_line)};
    }
    i += bytes;
    position.column += bytes;
    if (byte == '\n') position = {position.line + 1, 1};
  }
  return std::nullopt;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = sequence_length(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text,
                             [](char c) { return is_control(static_cast<unsigned char>(c)); });
}

std::string plain_text(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = sequence_length(text);
    const std::string_view sequence = text.substr(0, bytes);
    const bool second_block = bytes == 2 && sequence >= "\xc2\x80" && sequence <= "\xc2\x9f";
    const bool bad = bytes == 0 || second_block || is_control(static_cast<unsigned char>(text[0]));
    plain += bad ? kReplacement : sequence;
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return plain;
}

std::string plain_line(std::string_view text) {
  std::string line = plain_text(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return line;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string copy(text.substr(0, kLongest));
  std::ranges::replace_if(
      copy, [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("'{}{}'", copy, text.size() > kLongest ? "..." : "");
}

}  // namespace gradwire::text
