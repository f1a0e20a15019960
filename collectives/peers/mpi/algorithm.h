#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gradwire::peers::mpi {

/// The algorithms of Open MPI's component `tuned` for MPI_Allreduce:
/// coll_tuned_allreduce_algorithm.
enum class Algorithm : std::uint8_t {
  automatic = 0,           ///< its own rules decide, by ranks and size
  linear = 1,              ///< reduce to one rank, then broadcast, each without a tree
  nonoverlapping = 2,      ///< the tuned reduce, then the tuned broadcast
  recursive_doubling = 3,  ///< exchanges everything with a partner, log2(N) times
  ring = 4,
  segmented_ring = 5,  ///< a ring in phases of segments of kSegmentBytes
  rabenseifner = 6,    ///< reduce-scatter by halving, all-gather by doubling
};

inline constexpr std::size_t kSegmentBytes = 1 << 20;

/// An algorithm with its name for users: mpi(ring). The automatic one is called mpi.
struct NamedAlgorithm {
  std::string_view name;  ///< "ring"; empty for the automatic one
  Algorithm algorithm;
  std::string_view about;  ///< a phrase about it
};
[[nodiscard]] std::span<const NamedAlgorithm> algorithms();

/// The algorithm of that name, or nothing.
[[nodiscard]] std::optional<Algorithm> algorithm_of(std::string_view name);

/// The MCA parameters, name and value, with which a process must start for its MPI_Allreduce to run
/// the algorithm. The process keeps it for life.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> settings(Algorithm algorithm);

}  // namespace gradwire::peers::mpi
