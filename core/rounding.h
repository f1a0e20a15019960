#pragma once

#include <limits>

#include "core/dtype.h"

/// Bounds on the error of sums of rounded numbers.
namespace gradwire {

/// The relative error u of one addition that is rounded to the nearest number of a type: half the
/// distance from 1 to the next number. 0 for whole numbers, whose sums are exact.
[[nodiscard]] constexpr double unit_roundoff(Dtype type) {
  switch (type) {
    case Dtype::float32:
      return 0x1p-24;
    case Dtype::float64:
      return 0x1p-53;
    case Dtype::float16:
      return 0x1p-11;
    case Dtype::bfloat16:
      return 0x1p-8;
    default:
      return 0;
  }
}

/// The relative error of a value that was rounded at most m times on its way into a sum, whatever the
/// order of additions: m u / (1 - m u) (Higham, Accuracy and Stability of Numerical Algorithms, section
/// 3.1). A sum is off by no more than this times the sum of its terms' magnitudes. Infinite where m u is
/// 1 or more, and nothing is known.
[[nodiscard]] constexpr double rounding_bound(double roundings, double unit) {
  const double first_order = roundings * unit;
  if (first_order >= 1) return std::numeric_limits<double>::infinity();
  return first_order / (1 - first_order);
}

}  // namespace gradwire
