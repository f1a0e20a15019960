#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

namespace gradwire {

/// A run of gradient elements: [first, first + count).
struct Extent {
  std::size_t first = 0;
  std::size_t count = 0;

  /// The element after the last.
  [[nodiscard]] constexpr std::size_t end() const { return first + count; }
  /// Whether it has no elements.
  [[nodiscard]] constexpr bool empty() const { return count == 0; }

  friend constexpr auto operator<=>(const Extent&, const Extent&) = default;
};

/// Whether some element lies in both. An empty extent overlaps nothing.
[[nodiscard]] constexpr bool overlap(const Extent& a, const Extent& b) {
  return !a.empty() && !b.empty() && a.first < b.end() && b.first < a.end();
}

/// Part `index` of `whole` cut into `parts`: sizes differ by at most one element and the remainder
/// goes to the first parts. Parts are contiguous and in order; some are empty when there are more
/// parts than elements. Requires index < parts.
[[nodiscard]] Extent part(const Extent& whole, std::size_t parts, std::size_t index);

/// Parts [begin, end) of `whole` cut into `parts`, as one extent. Requires begin <= end <= parts.
[[nodiscard]] Extent part_range(const Extent& whole, std::size_t parts, std::size_t begin,
                                std::size_t end);

/// The elements that lie in any of these extents, as extents that are ascending and apart: those that
/// overlap or touch become one. Empty ones are left out.
[[nodiscard]] std::vector<Extent> merged(std::vector<Extent> extents);

/// The elements that lie both in one of `a` and in one of `b`. All three are ascending and apart.
/// Takes time in proportion to the shorter list times the logarithm of the longer, and the result.
[[nodiscard]] std::vector<Extent> intersection(std::span<const Extent> a,
                                               std::span<const Extent> b);

}  // namespace gradwire
