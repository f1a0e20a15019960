#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/text/text_check.h"

/// Faults of YAML text that its readers pass over or explain badly.
namespace gradwire::text {

/// The first carriage return that no line feed follows, or nothing.
[[nodiscard]] std::optional<TextFault> lone_carriage_return(std::string_view text);

/// The lines of a text, each found at once, however many there are. The text must outlive it.
class TextLines {
 public:
  explicit TextLines(std::string_view text);

  /// The text from a place of yaml-cpp's on. Empty if the text has no such place.
  [[nodiscard]] std::string_view from(TextPosition place) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

/// The fault of a quoted scalar that begins at `begin` and has no end: yaml-cpp takes the file's
/// end for the closing quote. A later line of the scalar must begin to the right of column
/// `outside`, as YAML has it for a value in a block; 0 lets every line pass. Nothing if the scalar
/// is closed, or if no quote stands at `begin`.
[[nodiscard]] std::optional<TextFault> unclosed_quote(const TextLines& lines, TextPosition begin,
                                                      std::size_t outside);

/// The fault of a name or value without quotes that hides a blank which is none for YAML: it begins
/// or ends with it, or has it behind a colon. `begin` is the scalar's place.
[[nodiscard]] std::optional<TextFault> hidden_blank(std::string_view scalar, TextPosition begin);

/// The character in the line of `last`, or in the one above, that explains why the text is not read:
/// a tab that indents the line, or the last blank that is none for YAML. Nothing if there is none.
[[nodiscard]] std::optional<TextFault> misleading_character(std::string_view text,
                                                            TextPosition last);

}  // namespace gradwire::text
