#include "collectives/grid.h"

#include <utility>

#include "core/error.h"

namespace gradwire::collectives {

std::vector<Group> groups_along(const GridShape& shape, std::size_t dimension) {
  ensure(dimension < shape.size(), "a grid has the dimension");
  const auto product = [&](std::size_t first, std::size_t end) {
    std::size_t all = 1;
    for (std::size_t i = first; i < end; ++i) all *= shape[i];
    return all;
  };
  const std::size_t stride = product(dimension + 1, shape.size());
  const std::size_t members = shape[dimension];
  std::vector<Group> groups;
  for (std::size_t before = 0; before < product(0, dimension); ++before) {
    for (std::size_t after = 0; after < stride; ++after) {
      Group group;
      for (std::size_t i = 0; i < members; ++i) {
        group.emplace_back((before * members + i) * stride + after);
      }
      groups.push_back(std::move(group));
    }
  }
  return groups;
}

}  // namespace gradwire::collectives
