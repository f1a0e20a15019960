#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "simulator/placement_judge.h"

/// Starts for a search for placements. All give every job hosts of its own, ascending.
namespace gradwire::simulator {

/// Packs each job, the one with most ranks first, below a switch or into a group of the wiring
/// (Topology::group_sizes) that has room for it: the smallest one, and of these the one with least
/// room. `ranks` has the ranks of each job; the hosts suffice for all.
[[nodiscard]] Seats packed(const topologies::Topology& topology,
                           std::span<const std::size_t> ranks);

/// Deals each job every so many-th of the hosts that are free.
[[nodiscard]] Seats dealt(std::size_t hosts, std::span<const std::size_t> ranks);

/// Gives the jobs random hosts. The same on every machine for a generator in the same state.
[[nodiscard]] Seats shuffled(std::size_t hosts, std::span<const std::size_t> ranks,
                             std::mt19937& random);

}  // namespace gradwire::simulator
