#pragma once

#include <cstddef>
#include <string_view>

/// Properties that follow from a collective's name alone (docs/collectives.md).
namespace gradwire::collectives {

/// The collective of an algorithm that names no other.
inline constexpr std::string_view kAllReduce = "all-reduce";

/// Whether the collective sums elements; one that does not only moves them.
[[nodiscard]] constexpr bool adds(std::string_view collective) {
  return collective == kAllReduce || collective == "reduce" || collective == "reduce-scatter";
}

/// Multiple of a rank's elements that the busiest NIC of a host with one carries at least:
/// 2(N-1)/N of an all-reduce, (N-1)/N of an all-gather, a reduce-scatter and an all-to-all of equal
/// blocks, 1 of what has a root. Requires at least one rank.
[[nodiscard]] constexpr double bus_factor(std::string_view collective, std::size_t ranks) {
  const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
  if (collective == kAllReduce) return 2 * others;
  const bool is_shared =
      collective == "reduce-scatter" || collective == "all-gather" || collective == "all-to-all";
  return is_shared ? others : 1;
}

}  // namespace gradwire::collectives
