#include "peers/mpi/algorithm.h"

#include <algorithm>
#include <array>

namespace gradwire::peers::mpi {
namespace {

constexpr std::array kNames = std::to_array<std::pair<std::string_view, Algorithm>>({
    {"linear", Algorithm::linear},
    {"nonoverlapping", Algorithm::nonoverlapping},
    {"recursive-doubling", Algorithm::recursive_doubling},
    {"ring", Algorithm::ring},
    {"segmented-ring", Algorithm::segmented_ring},
    {"rabenseifner", Algorithm::rabenseifner},
});

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

std::vector<std::pair<std::string, std::string>> settings(Algorithm algorithm) {
  if (algorithm == Algorithm::automatic) return {};
  std::vector<std::pair<std::string, std::string>> settings{
      {"coll_tuned_use_dynamic_rules", "1"},
      {"coll_tuned_allreduce_algorithm", std::to_string(static_cast<int>(algorithm))},
  };
  if (algorithm == Algorithm::segmented_ring) {
    settings.emplace_back("coll_tuned_allreduce_algorithm_segmentsize",
                          std::to_string(kSegmentBytes));
  }
  return settings;
}

}  // namespace gradwire::peers::mpi
