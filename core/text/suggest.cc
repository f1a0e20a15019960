#include "core/text/suggest.h"

#include <algorithm>
#include <vector>

#include <fmt/core.h>

#include "core/text/lowercase.h"
#include "core/text/text_check.h"

namespace gradwire::text {
namespace {

/// The optimal string alignment distance of two words.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kLongest = 64;  // nobody mistypes more, and the table grows as the product
  if (word.size() > kLongest) return std::nullopt;
  const std::string typed = lowercase(word);  // a capital is no mistake by itself
  std::optional<std::string> best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = distance(typed, lowercase(candidate));
    if (edits < least) {
      least = edits;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name(std::string_view what, std::string_view name,
                         std::span<const std::string> known) {
  const std::optional<std::string> meant = nearest(name, known);
  return fmt::format("unknown {} {}{}", what, shown(name),
                     meant ? fmt::format(" (did you mean '{}'?)", *meant) : "");
}

}  // namespace gradwire::text
