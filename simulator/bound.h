#pragma once

#include <span>

#include "core/plan.h"
#include "simulator/fabric.h"

namespace gradwire::simulator {

/// The sum over all steps of the time of the slowest link, in units of the time that a link of
/// speed 1 needs for one element: topologies::step_bound() for the actors of a fabric.
[[nodiscard]] double step_bound(const Fabric& fabric, std::span<const Plan> plans);

}  // namespace gradwire::simulator
