#include "library/agreement.h"

#include <algorithm>
#include <cstddef>

#include <fmt/core.h>

#include "core/error.h"
#include "core/goal.h"
#include "harness/names/algorithms.h"
#include "harness/names/plan_files.h"

namespace gradwire::library {

void require_all_reduce(const text::Spec& algorithm, const topologies::Topology& wiring,
                        Rank self) {
  const std::string reached = names::collective_of(algorithm);
  if (reached != "all-reduce") {
    throw InputError(fmt::format("algorithm {} is for {}", to_string(algorithm), reached));
  }
  if (names::is_plan_file(algorithm)) names::prove_plan_file(algorithm, wiring);
  const names::Amount any{.elements = wiring.hosts()};
  static_cast<void>(names::make_plan(algorithm, wiring, self, any));
  if (contributors(names::goal_of(algorithm, wiring, any)).size() != wiring.hosts()) {
    throw InputError(
        fmt::format("with {} not every rank has a gradient of its own", to_string(algorithm)));
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
