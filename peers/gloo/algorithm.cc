#include "peers/gloo/algorithm.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"

namespace gradwire::peers::gloo {
namespace {

constexpr std::array kNames = std::to_array<std::pair<std::string_view, Algorithm>>({
    {"ring", Algorithm::ring},
    {"halving-doubling", Algorithm::halving_doubling},
    {"bcube", Algorithm::bcube},
});

bool is_power_of(std::size_t number, std::size_t base) {
  while (number % base == 0) number /= base;
  return number == 1;
}

}  // namespace

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const auto& [name, algorithm] : kNames) names.push_back(name);
  return names;
}

std::optional<Algorithm> algorithm_of(std::string_view name) {
  const auto* const known =
      std::ranges::find(kNames, name, [](const auto& one) { return one.first; });
  if (known == kNames.end()) return std::nullopt;
  return known->second;
}

std::size_t bcube_base(std::size_t ranks) {
  ensure(ranks > 1, "groups are of several ranks");
  std::size_t base = 2;
  while (!is_power_of(ranks, base)) ++base;  // at the latest of itself
  return base;
}

}  // namespace gradwire::peers::gloo
