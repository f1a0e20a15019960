#pragma once

#include "schedule/policy.h"

/// The schedule that ends first.
///
/// With gradients 1..L in backward order, r_i when the i-th is ready, S_i the bytes of the first i,
/// and f(i) the earliest end of synchronizing the first i:
///
///     f(0) = 0,    f(i) = min over 0 <= j < i of  max(f(j), r_i) + T(S_i - S_j)
///
/// exact for any cost T, because a bucket that starts earlier never ends later.
///
/// For T = a + b M only two candidates remain: with q = max{ j < i : f(j) <= r_i },
///
///     f(i) = a + b S_i + min( r_i - b S_q,  f(q+1) - b S_(q+1) if q+1 < i )
///
/// because f(j) - b S_j never falls; q only moves forward.
namespace gradwire::schedule {

/// The optimum for any cost, in O(L^2) time and O(L) memory. Among equally good schedules it has
/// one with few buckets.
[[nodiscard]] Schedule optimum(const BackwardPass& pass, const Cost& cost);

/// The optimum for an affine cost, in O(L) time and memory. Requires a, b >= 0.
[[nodiscard]] Schedule optimum_affine(const BackwardPass& pass, const Affine& cost);

}  // namespace gradwire::schedule
