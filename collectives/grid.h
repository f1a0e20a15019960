#pragma once

#include <cstddef>
#include <vector>

#include "core/goal.h"

/// Ranks in a grid, for jobs that split a model over some ranks and data over others (Narayanan et
/// al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM", SC21,
/// section 3). The last number of a place runs first, so the ranks of a row are consecutive:
///
///     4 x 2    0 1      along the second dimension, rows: 0-1, 2-3, 4-5, 6-7
///              2 3      along the first, columns: 0 2 4 6 and 1 3 5 7
///              4 5
///              6 7
///
/// The groups along a dimension are the ranks whose places differ in that number alone. Every rank
/// is in one of them for each dimension.
namespace gradwire::collectives {

/// The number of ranks of a grid along each dimension, such as {4, 2}.
using GridShape = std::vector<std::size_t>;

/// The groups along dimension `dimension`, counted from 0. Each is ascending, and they are in the
/// order of their first ranks. Requires that the shape has the dimension, and no number 0 in it.
[[nodiscard]] std::vector<Group> groups_along(const GridShape& shape, std::size_t dimension);

}  // namespace gradwire::collectives
