#include "collectives/peers/mpi/algorithm.h"

#include <algorithm>
#include <array>

namespace gradwire::peers::mpi {
namespace {

constexpr std::array kAlgorithms{
    NamedAlgorithm{"", Algorithm::automatic, "what its own rules choose, by ranks and size"},
    NamedAlgorithm{"linear", Algorithm::linear,
                   "everybody sends to one rank, which sends the sums to everybody"},
    NamedAlgorithm{"nonoverlapping", Algorithm::nonoverlapping, "its reduce, then its broadcast"},
    NamedAlgorithm{"recursive-doubling", Algorithm::recursive_doubling,
                   "everything to a partner, log2(N) times"},
    NamedAlgorithm{"ring", Algorithm::ring, "a ring"},
    NamedAlgorithm{"segmented-ring", Algorithm::segmented_ring,
                   "a ring in phases of segments of 1 MiB"},
    NamedAlgorithm{"rabenseifner", Algorithm::rabenseifner,
                   "reduce-scatter by halving, all-gather by doubling"},
};

}  // namespace

std::span<const NamedAlgorithm> algorithms() {
  return kAlgorithms;
}

std::optional<Algorithm> algorithm_of(std::string_view name) {
  const auto* const found = std::ranges::find(kAlgorithms, name, &NamedAlgorithm::name);
  if (found == kAlgorithms.end()) return std::nullopt;
  return found->algorithm;
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
