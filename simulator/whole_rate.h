#pragma once

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace gradwire::simulator {

/// A rate, or a sum of rates, as a whole number of quanta. Sums of whole numbers are exact: rates
/// may come and go millions of times, in any order and any portions, and leave no rest.
__extension__ typedef __int128 WholeRate;

/// The least difference between rates that is distinguished: 2^-70 of the largest capacity or less.
class Quantum {
 public:
  /// The most flows whose rates are added up.
  static constexpr double kMostFlows = 1 << 26;

  /// The quantum for rates up to about `largest`, in bytes per second. Later rates may be 2^29
  /// times as large.
  explicit Quantum(double largest)
      : quanta_(std::ldexp(1.0, kBits - std::ilogb(std::max(largest, kTiny)))) {}

  /// The rate as a whole number of quanta, rounded down. Requires that the rate is not beyond the
  /// limit that the largest one sets.
  [[nodiscard]] WholeRate whole(double rate) const {
    const double scaled = rate * quanta_;
    ensure(scaled < kMost, "capacities do not grow 500 million times");
    return static_cast<WholeRate>(scaled);
  }
  [[nodiscard]] double rate(WholeRate quanta) const {
    return static_cast<double>(quanta) / quanta_;
  }

 private:
  static constexpr int kBits = 70;
  static constexpr double kTiny = 1e-200;
  static constexpr double kMost = 0x1p100;  // times kMostFlows, it fits into 127 bits

  double quanta_;  ///< quanta per 1 byte per second, a power of 2
};

}  // namespace gradwire::simulator
