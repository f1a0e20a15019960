#include "harness/emulate/prefixed_lines.h"

#include <algorithm>
#include <utility>

namespace gradwire::emulate {

std::string PrefixedLines::add(std::string_view piece) {
  std::string lines;
  while (!piece.empty()) {
    const std::size_t newline = piece.find('\n');
    const std::size_t room = kLongestLine - begun_.size();
    const std::size_t length = newline == std::string_view::npos ? piece.size() : newline;
    begun_ += piece.substr(0, std::min(length, room));
    const bool complete = newline != std::string_view::npos && length <= room;
    piece.remove_prefix(complete ? length + 1 : std::min(length, room));
    if (complete || begun_.size() == kLongestLine) {
      lines += prefix_ + std::exchange(begun_, {}) + '\n';
    }
  }
  return lines;
}

std::string PrefixedLines::finish() {
  if (begun_.empty()) return {};
  return prefix_ + std::exchange(begun_, {}) + '\n';
}

}  // namespace gradwire::emulate
