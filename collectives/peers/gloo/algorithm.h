#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gradwire::peers::gloo {

/// The all-reduce algorithms of Gloo that need no other library. Each runs over every rank's first
/// port only.
enum class Algorithm : std::uint8_t {
  ring,              ///< allreduce_ring_chunked: two chunks a rank, so that adding overlaps sending
  halving_doubling,  ///< allreduce_halving_doubling, with binary blocks for any number of ranks
  bcube,             ///< allreduce_bcube: groups of `bcube_base` ranks, one digit after the other
};

/// An algorithm with its name for users: gloo(ring).
struct NamedAlgorithm {
  std::string_view name;  ///< "ring"
  Algorithm algorithm;
  std::string_view about;  ///< a phrase about it
};
[[nodiscard]] std::span<const NamedAlgorithm> algorithms();

/// The algorithm of that name, or nothing.
[[nodiscard]] std::optional<Algorithm> algorithm_of(std::string_view name);

/// The size of bcube's groups: the smallest number of which `ranks` is a power, so that 9 ranks are
/// groups of 3 twice, and 6 ranks one group. Gloo would take any divisor, but its sums are wrong
/// then (6 ranks in groups of 2). Requires ranks > 1.
[[nodiscard]] std::size_t bcube_base(std::size_t ranks);

}  // namespace gradwire::peers::gloo
