#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gradwire::emulate {

/// Filter that takes text in pieces, and returns whole lines with a prefix before each.
class PrefixedLines {
 public:
  /// Longest line; longer ones are cut, so that a program that never ends one does not fill the
  /// memory.
  static constexpr std::size_t kLongestLine = 1024 * 1024;

  explicit PrefixedLines(std::string prefix) : prefix_(std::move(prefix)) {}

  /// Adds a piece. Returns all lines that are complete with it, each with its newline.
  [[nodiscard]] std::string add(std::string_view piece);
  /// Ends the text. Returns an unfinished line with a newline; empty without one.
  [[nodiscard]] std::string finish();

 private:
  std::string prefix_;
  std::string begun_;  ///< an unfinished line
};

}  // namespace gradwire::emulate
