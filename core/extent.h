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

  /// The element after the last one.
  [[nodiscard]] constexpr std::size_t end() const { return first + count; }
  /// Whether it has no elements.
  [[nodiscard]] constexpr bool empty() const { return count == 0; }

  friend constexpr auto operator<=>(const Extent&, const Extent&) = default;
};

/// Whether the extents share an element. An empty extent overlaps nothing.
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

/// The union of these extents, as ascending extents that neither overlap nor touch. Empty extents
/// are left out.
[[nodiscard]] std::vector<Extent> merged(std::vector<Extent> extents);

/// The elements that lie both in `a` and in `b`. Both lists and the result are ascending and apart.
/// Takes time in proportion to the shorter list times the logarithm of the longer, plus the result.
[[nodiscard]] std::vector<Extent> intersection(std::span<const Extent> a,
                                               std::span<const Extent> b);

}  // namespace gradwire
