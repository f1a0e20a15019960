#pragma once

#include <span>

#include "core/error.h"
#include "simulator/lanes.h"
#include "simulator/simulation.h"

namespace gradwire::simulator {

/// The error of a simulation in which nothing can happen any more although work is left. It lists
/// the waits, first those whose message is under way and does not move, and the outages that last.
[[nodiscard]] FabricError stuck(const Lanes& lanes, double now, std::span<const Outage> outages);

}  // namespace gradwire::simulator
