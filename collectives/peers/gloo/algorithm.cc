#include "collectives/peers/gloo/algorithm.h"

#include <algorithm>
#include <array>

#include "core/error.h"

namespace gradwire::peers::gloo {
namespace {

constexpr std::array kAlgorithms{
    NamedAlgorithm{"ring", Algorithm::ring,
                   "a ring, with two chunks a rank, so that adding overlaps sending"},
    NamedAlgorithm{"halving-doubling", Algorithm::halving_doubling,
                   "halving and doubling, in binary blocks for any number of ranks"},
    NamedAlgorithm{"bcube", Algorithm::bcube,
                   "groups of equal size, one digit of the rank after the other"},
};

bool is_power_of(std::size_t number, std::size_t base) {
  while (number % base == 0) number /= base;
  return number == 1;
}

}  // namespace

std::span<const NamedAlgorithm> algorithms() {
  return kAlgorithms;
}

std::optional<Algorithm> algorithm_of(std::string_view name) {
  const auto* const found = std::ranges::find(kAlgorithms, name, &NamedAlgorithm::name);
  if (found == kAlgorithms.end()) return std::nullopt;
  return found->algorithm;
}

std::size_t bcube_base(std::size_t ranks) {
  ensure(ranks > 1, "there are several ranks to group");
  std::size_t base = 2;
  while (!is_power_of(ranks, base)) ++base;  // at the latest of itself
  return base;
}

}  // namespace gradwire::peers::gloo
