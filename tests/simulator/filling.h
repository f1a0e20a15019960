#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "simulator/sharing.h"

namespace gradwire::simulator::testing {

/// The max-min fair rate of every flow, all filled anew by the textbook (Bertsekas, Gallager, "Data
/// Networks", section 6.5.2), in more digits than a double has. `flows` by the links they use.
inline std::vector<double> filled_rates(std::span<const double> capacities,
                                        std::span<const std::vector<LinkUse>> flows) {
  constexpr long double kAlike = 1 + 1e-16L;
  std::vector<long double> left(capacities.begin(), capacities.end());
  std::vector<bool> is_fixed(flows.size());
  std::vector<double> rates(flows.size());
  for (;;) {
    std::vector<long double> wanted(left.size());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (is_fixed[f]) continue;
      for (const LinkUse& use : flows[f]) wanted[use.link] += use.times;
    }
    long double level = std::numeric_limits<long double>::infinity();
    for (std::size_t l = 0; l < left.size(); ++l) {
      if (wanted[l] > 0) level = std::min(level, left[l] / wanted[l]);
    }
    if (level == std::numeric_limits<long double>::infinity()) return rates;
    const auto is_full = [&](const LinkUse& use) {
      return left[use.link] / wanted[use.link] <= level * kAlike;
    };
    std::vector<long double> taken(left.size());
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (is_fixed[f] || !std::ranges::any_of(flows[f], is_full)) continue;
      is_fixed[f] = true;
      rates[f] = static_cast<double>(level);
      for (const LinkUse& use : flows[f]) taken[use.link] += level * use.times;
    }
    for (std::size_t l = 0; l < left.size(); ++l) left[l] = std::max(0.0L, left[l] - taken[l]);
  }
}

}  // namespace gradwire::simulator::testing
