#pragma once

#include <cstddef>
#include <span>

#include "core/elements.h"

/// Checks whether sums of any numbers, such as those of a model that is trained, are possible
/// results of adding their terms. Sums of test patterns are exact: see core/pattern.h.
namespace gradwire {

/// The numbers of elements with findings.
struct SumFindings {
  std::size_t checked = 0;
  std::size_t wrong = 0;       ///< sums that no order of additions makes of the terms
  std::size_t not_finite = 0;  ///< sums that are NaN or infinite, right or wrong
  friend bool operator==(const SumFindings&, const SumFindings&) = default;

  SumFindings& operator+=(const SumFindings& more);
};

/// Compares each element s of `sums` with the sum of the n elements x of `terms` at its place.
///
/// - Whole numbers: s is their sum, which wraps.
/// - Floating point: n - 1 additions in any order, each rounded to the nearest number of the type, are
///   off by at most (n-1) u / (1 - (n-1) u) times the sum of |x| (core/rounding.h). The reference is
///   made in double precision, and its own bound of n + 1 roundings is added. s is wrong when it is
///   further off.
/// - A NaN among the terms, or infinities of both signs, make NaN. An infinity makes the same one.
/// - Finite terms may add up to an infinity on the way, and then all that follows has it: s may be
///   infinite where terms of that sign alone reach the end of the type's range, and NaN where
///   those of both signs do. An infinite term and such an overflow of the other sign may make NaN, too.
/// - Finite s is not judged where magnitudes add up to more than a double holds, or (n-1) u is 1 or more:
///   from 257 terms of bfloat16 on.
///
/// Requires at least one of `terms`, each of the type and size of `sums`, and a type that can be
/// added. Throws InternalError otherwise.
[[nodiscard]] SumFindings check_sums(std::span<const Elements> terms, const Elements& sums);

}  // namespace gradwire
