#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace gradwire::emulate {

/// Text that comes in pieces, and leaves in whole lines with a prefix before each.
class PrefixedLines {
 public:
  /// Longer lines are cut, so that a program that never ends one does not fill the memory.
  static constexpr std::size_t kLongestLine = 1024 * 1024;

  explicit PrefixedLines(std::string prefix) : prefix_(std::move(prefix)) {}

  /// Takes a piece in. Returns all lines that are complete with it, each with its newline.
  [[nodiscard]] std::string add(std::string_view piece);
  /// At the end: what is left of a line, made one with a newline; empty when nothing is.
  [[nodiscard]] std::string finish();

 private:
  std::string prefix_;
  std::string begun_;  ///< a line without its end
};

}  // namespace gradwire::emulate
