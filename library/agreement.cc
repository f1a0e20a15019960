#include "library/agreement.h"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "core/error.h"
#include "core/goal.h"

namespace gradwire::library {

void require_all_reduce(const algorithms::Algorithm& algorithm, Rank self) {
  if (!algorithm.is_all_reduce()) {
    throw InputError(
        fmt::format("algorithm {} is for {}", algorithm.name(), algorithm.collective()));
  }
  algorithm.prove();
  const std::size_t ranks = algorithm.topology().hosts();
  const algorithms::Amount any{.elements = ranks};
  static_cast<void>(algorithm.plan(self, any));
  if (contributors(algorithm.goal(any)).size() != ranks) {
    throw InputError(
        fmt::format("with {} not every rank has a gradient of its own", algorithm.name()));
  }
}

void require_same(const std::vector<std::string>& all, Rank self, std::string_view verb) {
  const auto like = [&](const std::string& one) { return std::ranges::count(all, one); };
  const auto usual = std::ranges::max_element(all, {}, like);
  const auto odd = std::ranges::find_if(all, [&](const std::string& one) { return one != *usual; });
  if (odd == all.end()) return;
  const auto culprit = static_cast<std::size_t>(odd - all.begin());
  const std::size_t other = culprit == 0 ? 1 : 0;
  throw FabricError(
      FabricFailure::refused, {.rank = self, .peer = Rank(culprit)},
      fmt::format("it {} {}, and rank {} {} {}", verb, *odd, other, verb, all[other]));
}

}  // namespace gradwire::library
