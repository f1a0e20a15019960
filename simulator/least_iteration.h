#pragma once

#include "simulator/jobs.h"

namespace gradwire::simulator {

/// A lower bound on the seconds of a job's iteration, on any hosts of the wiring and beside any
/// other jobs. For each rank it is the longest way through the rank's program, where a collective
/// takes the time that the ports of a host need for the member's own sends; or, if longer, the time
/// that they need for all sends of the rank.
///
/// Requires that members send as much on these hosts as on the wiring's first ones, which holds if
/// a member's Plan depends on its place in the group alone. Throws like `plans_of`.
[[nodiscard]] double least_iteration(const topologies::Topology& topology, const jobs::Job& job,
                                     const PlansOf& plans_of, const NetworkModel& model);

}  // namespace gradwire::simulator
