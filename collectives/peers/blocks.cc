#include "collectives/peers/blocks.h"

#include <cstring>

namespace gradwire::peers {

std::vector<Extent> parts_of(const Extent& whole, std::size_t ranks) {
  std::vector<Extent> parts;
  for (std::size_t i = 0; i < ranks; ++i) parts.push_back(part(whole, ranks, i));
  return parts;
}

std::vector<Extent> blocks_to_each(const Extent& whole, const Group& group) {
  return parts_of(part(whole, group.ranks, group.self.index()), group.ranks);
}

std::vector<Extent> blocks_from_each(const Extent& whole, const Group& group) {
  std::vector<Extent> blocks;
  for (std::size_t i = 0; i < group.ranks; ++i) {
    blocks.push_back(part(part(whole, group.ranks, i), group.ranks, group.self.index()));
  }
  return blocks;
}

std::size_t count_of(std::span<const Extent> extents) {
  std::size_t count = 0;
  for (const Extent& extent : extents) count += extent.count;
  return count;
}

void unpack(std::span<const float> packed, std::span<const Extent> extents,
            std::span<float> gradient) {
  std::size_t taken = 0;
  for (const Extent& extent : extents) {
    if (extent.empty()) continue;
    const std::span<float> to = gradient.subspan(extent.first, extent.count);
    std::memmove(to.data(), packed.subspan(taken, extent.count).data(), to.size_bytes());
    taken += extent.count;
  }
}

}  // namespace gradwire::peers
