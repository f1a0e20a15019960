#include "core/text/yaml_faults.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/core.h>

namespace gradwire::text {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// A character that looks like a blank, or like nothing, and is neither to YAML.
struct Lookalike {
  std::string_view bytes;
  std::string_view name;
};

constexpr std::array kLookalikes = std::to_array<Lookalike>({
    {"\xc2\x85", "a next-line character (U+0085)"},
    {"\xc2\xa0", "a no-break blank (U+00A0)"},
    {"\xe2\x80\x82", "an en blank (U+2002)"},
    {"\xe2\x80\x83", "an em blank (U+2003)"},
    {"\xe2\x80\x87", "a figure blank (U+2007)"},
    {"\xe2\x80\x89", "a thin blank (U+2009)"},
    {"\xe2\x80\x8a", "a hair blank (U+200A)"},
    {"\xe2\x80\x8b", "a blank of no width (U+200B)"},
    {"\xe2\x80\xa8", "a line separator (U+2028)"},
    {"\xe2\x80\xa9", "a paragraph separator (U+2029)"},
    {"\xe2\x80\xaf", "a narrow no-break blank (U+202F)"},
    {"\xe3\x80\x80", "an ideographic blank (U+3000)"},
    {kByteOrderMark, "a byte order mark (U+FEFF)"},
});

/// The lookalike that `text` begins with, or nullptr. Requires text.
const Lookalike* lookalike_at(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return nullptr;
  const auto found = std::ranges::find_if(
      kLookalikes, [&](const Lookalike& each) { return text.starts_with(each.bytes); });
  return found == kLookalikes.end() ? nullptr : &*found;
}

std::string refusal_of(const Lookalike& character) {
  return fmt::format("{} stands here, which is no blank in YAML; write an ordinary blank",
                     character.name);
}

/// The length of the quoted scalar that `text` begins with, or npos if it does not end.
std::size_t quoted_length(std::string_view text) {
  const char quote = text.front();
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool is_doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
      if (!is_doubled) return i + 1;
      ++i;
    }
  }
  return std::string_view::npos;
}

/// Whether a line after the first of `scalar`, other than an empty one, begins at column `outside`
/// or left of it.
bool leaves_block(std::string_view scalar, std::size_t outside) {
  for (std::size_t end = scalar.find('\n'); end != std::string_view::npos;
       end = scalar.find('\n')) {
    scalar.remove_prefix(end + 1);
    const std::size_t first = scalar.find_first_not_of(' ');
    if (first == std::string_view::npos) return false;
    if (first < outside && scalar[first] != '\n' && scalar[first] != '\r') return true;
  }
  return false;
}

}  // namespace

TextLines::TextLines(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       end = text.find('\n', end + 1)) {
    starts_.push_back(end + 1);
  }
  if (text.starts_with(kByteOrderMark)) starts_.front() = kByteOrderMark.size();
}

std::string_view TextLines::from(TextPosition place) const {
  if (place.line > starts_.size()) return {};
  const std::size_t at = starts_[place.line - 1] + place.column - 1;  // yaml-cpp counts no mark
  return at < text_.size() ? text_.substr(at) : std::string_view{};
}

std::optional<TextFault> lone_carriage_return(std::string_view text) {
  TextPosition position;
  for (std::size_t i = 0; i < text.size(); ++i, ++position.column) {
    if (text[i] == '\n') position = {position.line + 1, 0};
    if (text[i] != '\r' || (i + 1 < text.size() && text[i + 1] == '\n')) continue;
    return TextFault{position,
                     "a carriage return (CR) stands here without a line feed; end every line with "
                     "LF, or with CR and LF"};
  }
  return std::nullopt;
}

std::optional<TextFault> unclosed_quote(const TextLines& lines, TextPosition begin,
                                        std::size_t outside) {
  const std::string_view rest = lines.from(begin);
  if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return std::nullopt;
  const std::size_t length = quoted_length(rest);
  if (length == std::string_view::npos) {
    return TextFault{begin, fmt::format("the quote {} that begins here is not closed: the file "
                                        "ends inside it; close it with {}",
                                        rest.front(), rest.front())};
  }
  if (outside == 0 || !leaves_block(rest.substr(0, length), outside)) return std::nullopt;
  return TextFault{begin, fmt::format("the quote {} that begins here is not closed before the next "
                                      "key; close it with {}, or indent the lines that continue it",
                                      rest.front(), rest.front())};
}

std::optional<TextFault> hidden_blank(std::string_view scalar, TextPosition begin) {
  for (std::size_t i = 0; i < scalar.size(); ++i) {
    const Lookalike* const found = lookalike_at(scalar.substr(i));
    if (found == nullptr) continue;
    const bool at_edge = i == 0 || i + found->bytes.size() == scalar.size();
    if (!at_edge && scalar[i - 1] != ':') continue;
    return TextFault{{begin.line, begin.column + i}, refusal_of(*found)};
  }
  return std::nullopt;
}

std::optional<TextFault> misleading_character(std::string_view text, TextPosition last) {
  std::optional<TextFault> found;
  for (std::size_t line = 1; line <= last.line && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line + 1 < last.line) continue;
    const std::size_t tab = whole.find('\t');
    if (line == last.line && tab != std::string_view::npos &&
        whole.find_first_not_of(" \t") > tab) {
      return TextFault{{line, tab + 1}, "a tab stands here; YAML is indented by blanks alone"};
    }
    for (std::size_t i = line == 1 && whole.starts_with(kByteOrderMark) ? 3 : 0; i < whole.size();
         ++i) {
      if (whole[i] == '#' && (i == 0 || whole[i - 1] == ' ')) break;
      const Lookalike* const character = lookalike_at(whole.substr(i));
      if (character != nullptr) found = TextFault{{line, i + 1}, refusal_of(*character)};
    }
  }
  return found;
}

}  // namespace gradwire::text
