#include "topologies/digits.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/sizes.h"

namespace gradwire::topologies {
namespace {

std::vector<std::size_t> powers_of(std::size_t n, std::size_t k) {
  if (n < 2) throw InputError(fmt::format("bcube({},{}): n must be at least 2", n, k));
  if (k < 1) throw InputError(fmt::format("bcube({},{}): k must be at least 1", n, k));
  // n >= 2, so that this ends after log2(kMaxHosts) rounds however large k is.
  std::vector<std::size_t> powers{1};
  for (std::size_t level = 0; level < k; ++level) {
    const std::size_t factors[] = {powers.back(), n};
    const auto power = product_up_to(kMaxHosts, factors);
    if (!power) {
      throw InputError(fmt::format(
          "bcube({},{}): the number of hosts, n^k, is too large: at most {} are allowed", n, k,
          kMaxHosts));
    }
    powers.push_back(*power);
  }
  return powers;
}

}  // namespace

Digits::Digits(std::size_t n, std::size_t k) : n_(n), powers_(powers_of(n, k)) {}

std::vector<Rank> Digits::neighbours(Rank rank, std::size_t level) const {
  std::vector<Rank> ranks;
  ranks.reserve(n_ - 1);
  for (std::size_t value = 0; value < n_; ++value) {
    if (value != digit(rank, level)) ranks.push_back(with_digit(rank, level, value));
  }
  return ranks;
}

}  // namespace gradwire::topologies
