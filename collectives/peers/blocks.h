#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/extent.h"
#include "core/id.h"

/// Which elements of a collective libraries are told of, rank by rank: core/goal.h's equal parts.
namespace gradwire::peers {

/// Among whom.
struct Group {
  Rank self;
  std::size_t ranks = 0;
};

/// Of a reduce-scatter or all-gather of these elements: part i is rank i's.
[[nodiscard]] std::vector<Extent> parts_of(const Extent& whole, std::size_t ranks);
/// Of an all-to-all of these elements: block j is what this rank sends to rank j. Side by side.
[[nodiscard]] std::vector<Extent> blocks_to_each(const Extent& whole, const Group& group);
/// The same: block i is what this rank gets from rank i.
[[nodiscard]] std::vector<Extent> blocks_from_each(const Extent& whole, const Group& group);

/// How many elements all of them have.
[[nodiscard]] std::size_t count_of(std::span<const Extent> extents);

/// Moves elements that lie side by side in `packed` to these extents of the gradient. `packed` may be
/// memory of the gradient where there is one extent.
void unpack(std::span<const float> packed, std::span<const Extent> extents,
            std::span<float> gradient);

}  // namespace gradwire::peers
