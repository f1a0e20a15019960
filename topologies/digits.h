#pragma once

#include <cstddef>
#include <vector>

#include "core/id.h"

/// Ranks as numbers of k digits to the base n, which is how BCube(n,k) names its hosts.
///
///     n = 3, k = 2:   rank 5  =  "1,2"  =  1 * 3 + 2      digit 0 is 2, digit 1 is 1
///
/// Pure arithmetic: needs no graph, so that algorithms can use it for any number of ranks n^k.
namespace gradwire::topologies {

/// The digits of the ranks 0..n^k-1. Level l is the digit of weight n^l.
class Digits {
 public:
  /// The digits of n^k ranks. Throws InputError unless n >= 2, k >= 1 and n^k <= kMaxHosts.
  Digits(std::size_t n, std::size_t k);

  [[nodiscard]] std::size_t n() const { return n_; }
  [[nodiscard]] std::size_t k() const { return powers_.size() - 1; }
  /// The number of ranks: n^k.
  [[nodiscard]] std::size_t count() const { return powers_.back(); }
  /// The weight of digit `exponent`: n^exponent. Requires exponent <= k.
  [[nodiscard]] std::size_t power(std::size_t exponent) const { return powers_[exponent]; }

  /// Digit `level` of `rank`. Requires level < k.
  [[nodiscard]] std::size_t digit(Rank rank, std::size_t level) const {
    return rank.index() / powers_[level] % n_;
  }
  /// The rank `rank` with digit `level` replaced. Requires level < k, value < n.
  [[nodiscard]] Rank with_digit(Rank rank, std::size_t level, std::size_t value) const {
    return Rank(rank.index() - digit(rank, level) * powers_[level] + value * powers_[level]);
  }
  /// The number that remains when digit `level` is struck out: 0..n^(k-1)-1, the same for the n
  /// ranks that differ in that digit only. Requires level < k.
  [[nodiscard]] std::size_t without_digit(Rank rank, std::size_t level) const {
    return rank.index() / powers_[level + 1] * powers_[level] + rank.index() % powers_[level];
  }
  /// The n-1 ranks that differ from `rank` in digit `level` only, in ascending order.
  [[nodiscard]] std::vector<Rank> neighbours(Rank rank, std::size_t level) const;

 private:
  std::size_t n_;
  std::vector<std::size_t> powers_;  ///< n^0 .. n^k
};

}  // namespace gradwire::topologies
