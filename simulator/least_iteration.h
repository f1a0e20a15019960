#pragma once

#include "simulator/jobs.h"

namespace gradwire::simulator {

/// Seconds that an iteration of a job takes at least, on whatever hosts of the wiring and whoever is
/// there beside it: on each rank it takes the longest way through the rank's program, where a collective
/// takes as long as the ports of a host need for what the member itself sends; and it takes as long as
/// they need for all that the rank sends.
///
/// Requires that members send as much on these hosts as on the wiring's first ones, which is so where a
/// member's Plan goes by its place in the group. Throws as `plans_of`.
[[nodiscard]] double least_iteration(const topologies::Topology& topology, const jobs::Job& job,
                                     const PlansOf& plans_of, const NetworkModel& model);

}  // namespace gradwire::simulator
