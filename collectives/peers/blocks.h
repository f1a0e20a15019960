#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/extent.h"
#include "core/id.h"

/// The elements of a collective that libraries are told, rank by rank: core/goal.h's equal parts.
namespace gradwire::peers {

/// A rank, and the number of ranks.
struct Group {
  Rank self;
  std::size_t ranks = 0;
};

/// The parts of these elements in a reduce-scatter or all-gather: part i is rank i's.
[[nodiscard]] std::vector<Extent> parts_of(const Extent& whole, std::size_t ranks);
/// The blocks of these elements in an all-to-all that this rank sends: block j goes to rank j. Side
/// by side.
[[nodiscard]] std::vector<Extent> blocks_to_each(const Extent& whole, const Group& group);
/// The blocks of these elements in an all-to-all that this rank gets: block i comes from rank i.
[[nodiscard]] std::vector<Extent> blocks_from_each(const Extent& whole, const Group& group);

/// The number of elements of all extents together.
[[nodiscard]] std::size_t count_of(std::span<const Extent> extents);

/// Moves elements that lie side by side in `packed` to these extents of the gradient. `packed` may be
/// memory of the gradient where there is one extent.
void unpack(std::span<const float> packed, std::span<const Extent> extents,
            std::span<float> gradient);

}  // namespace gradwire::peers
