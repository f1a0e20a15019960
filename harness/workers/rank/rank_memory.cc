#include "harness/workers/rank/rank_memory.h"

#include <algorithm>

namespace gradwire::workers {

void HostMemory::clear(const Extent& extent) const {
  std::ranges::fill(elements_.bytes(extent), std::byte{0});
}

void HostMemory::fill(const Pattern& pattern, Rank rank, const Extent& extent) const {
  pattern.fill(elements_.part(extent), rank, extent.first);
}

std::optional<std::size_t> HostMemory::find_damaged(const Pattern& pattern, Rank rank,
                                                    const Extent& extent) const {
  return pattern.find_damaged(elements_.part(extent), rank, extent.first);
}

std::size_t HostMemory::count_wrong(const Pattern& pattern, const Extent& extent) const {
  return pattern.count_wrong(elements_.part(extent), extent.first);
}

double HostMemory::value_at(std::size_t element) const {
  return gradwire::value_at(elements_, element);
}

}  // namespace gradwire::workers
