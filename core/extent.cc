#include "core/extent.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire {
namespace {

/// First element of part `index`; part `parts` begins where the whole ends.
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

}  // namespace gradwire
