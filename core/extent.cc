#include "core/extent.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire {
namespace {

/// The first element of part `index`; for index `parts`, the end of the whole.
std::size_t part_begin(const Extent& whole, std::size_t parts, std::size_t index) {
  const std::size_t size = whole.count / parts;
  const std::size_t larger = whole.count % parts;
  return whole.first + index * size + std::min(index, larger);
}

}  // namespace

Extent part(const Extent& whole, std::size_t parts, std::size_t index) {
  return part_range(whole, parts, index, index + 1);
}

Extent part_range(const Extent& whole, std::size_t parts, std::size_t begin, std::size_t end) {
  ensure(begin <= end && end <= parts && parts > 0, "the parts from begin to end exist");
  const std::size_t first = part_begin(whole, parts, begin);
  return {.first = first, .count = part_begin(whole, parts, end) - first};
}

std::vector<Extent> merged(std::vector<Extent> extents) {
  std::erase_if(extents, [](const Extent& extent) { return extent.empty(); });
  std::ranges::sort(extents);
  std::vector<Extent> pieces;
  for (const Extent& extent : extents) {
    if (pieces.empty() || pieces.back().end() < extent.first) {
      pieces.push_back(extent);
    } else {
      pieces.back().count = std::max(pieces.back().end(), extent.end()) - pieces.back().first;
    }
  }
  return pieces;
}

std::vector<Extent> intersection(std::span<const Extent> a, std::span<const Extent> b) {
  if (a.size() > b.size()) return intersection(b, a);
  std::vector<Extent> common;
  for (const Extent& each : a) {
    // Ends ascend as the extents do: the first that ends after `each` begins is the first to meet.
    auto other = std::ranges::upper_bound(b, each.first, {}, &Extent::end);
    for (; other != b.end() && other->first < each.end(); ++other) {
      const std::size_t first = std::max(each.first, other->first);
      const std::size_t end = std::min(each.end(), other->end());
      if (first < end) common.push_back({.first = first, .count = end - first});
    }
  }
  return common;
}

}  // namespace gradwire
