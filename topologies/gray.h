#pragma once

#include <cstddef>

#include "core/id.h"
#include "topologies/digits.h"

/// The n-ary Gray code: an order of the ranks 0..n^k-1 in which neighbours, the last and the first
/// too, differ in one digit.
///
///     n = 3, k = 2, by (digit 1, digit 0):
///     first_level 0:  0,0  0,1  0,2  1,2  1,0  1,1  2,1  2,2  2,0      digit 0 changes most often
///     first_level 1:  0,0  1,0  2,0  2,1  0,1  1,1  1,2  2,2  0,2      digit 1 does
///
/// The digits of the i-th rank are those of i, less the next higher one, mod n; the lowest is that
/// of `first_level`, the next that of first_level + 1 (mod k), and so on.
namespace gradwire::topologies {

/// The rank at place `index`. Requires index < n^k, first_level < k.
[[nodiscard]] Rank gray_rank(const Digits& digits, std::size_t index, std::size_t first_level = 0);

/// The place of `rank`: the inverse of gray_rank.
[[nodiscard]] std::size_t gray_index(const Digits& digits, Rank rank, std::size_t first_level = 0);

}  // namespace gradwire::topologies
