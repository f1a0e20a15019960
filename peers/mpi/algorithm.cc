#include "peers/mpi/algorithm.h"

#include "core/name_table.h"

namespace gradwire::peers::mpi {
namespace {

constexpr NameTable<Algorithm, 6> kNames({
    {"linear", Algorithm::linear},
    {"nonoverlapping", Algorithm::nonoverlapping},
    {"recursive-doubling", Algorithm::recursive_doubling},
    {"ring", Algorithm::ring},
    {"segmented-ring", Algorithm::segmented_ring},
    {"rabenseifner", Algorithm::rabenseifner},
});

}  // namespace

std::vector<std::string_view> algorithm_names() {
  return kNames.names();
}

std::optional<Algorithm> algorithm_of(std::string_view name) {
  return kNames.find(name);
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
