#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "core/plan.h"
#include "topologies/topology.h"

/// Groups within groups: the common part of halving and doubling, hierarchical synchronization and
/// BML without its rotation.
///
///     sizes {2, 3}:   level 1   {0, 2, 4}  {1, 3, 5}       those that agree in digit 0
///                     level 0   {0, 1}  {2, 3}  {4, 5}     those that agree in digit 1
///
/// Positions are numbers in mixed radix: digit l counts the sizes[l] members of a group of level l
/// and weighs sizes[0] ... sizes[l-1]; a group's members differ in that digit only.
///
///     step                        to each member m of the level's group    elements arriving
///     scatter  l = 0 .. L-1       what m shall hold after level l          are added
///     gather   l = L-1 .. 0       what it holds itself after level l       are put in place
///
/// After scatter step l a position holds the sums of the positions that agree with it in the digits
/// above l, for the 1/(sizes[0] ... sizes[l]) of the gradient that its digits 0..l name. Layout:
/// position q's part lies in the slot that q's digits spell with digit 0 the most significant,
/// which makes every one of these groups of parts one extent.
///
/// Step l carries (sizes[l] - 1) / (sizes[0] ... sizes[l]) of the gradient each way, all together
/// 2(M-1)/M with M positions.
namespace gradwire::collectives {

/// The place of one rank among the positions.
struct NestedGroups {
  const topologies::Topology& topology;
  Rank self;
  std::size_t position;                      ///< position of self
  std::vector<std::size_t> sizes;            ///< lowest level first; none is 0
  std::function<Rank(std::size_t)> rank_of;  ///< rank at a position
  /// The number of parts into which the elements are cut: a multiple of the positions, so that each
  /// holds as many of them. 0 stands for one part a position.
  std::size_t parts = 0;
};

/// The lane of `groups.self` in 2L steps, along the wiring's routes. Members are taken in turn,
/// beginning after the position, so that not all talk to the same member first.
[[nodiscard]] Lane scatter_and_gather(const NestedGroups& groups, std::size_t elements);

/// The extent whose sums the position at `position` holds after the first L steps, if the elements
/// are cut into `parts` (see NestedGroups). Requires position < sizes[0] ... sizes[L-1].
[[nodiscard]] Extent part_at(const std::vector<std::size_t>& sizes, std::size_t elements,
                             std::size_t position, std::size_t parts = 0);

}  // namespace gradwire::collectives
