#pragma once

#include <span>

#include "core/plan.h"
#include "simulator/fabric.h"

namespace gradwire::simulator {

/// The least time (topologies::least_time()) for the actors of a fabric, in units of the time that
/// a link of speed 1 needs for one element: no simulation of these Plans ends earlier, with links
/// whose bursts are of `burst` elements.
[[nodiscard]] double least_time(const Fabric& fabric, std::span<const Plan> plans,
                                double burst = 0);

}  // namespace gradwire::simulator
