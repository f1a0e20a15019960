#pragma once

#include <cstddef>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// Hosts that nothing tells apart but their numbers: by host, the lowest number of a run of consecutive
/// hosts of which any two can change places. They hang off one switch by cables of one speed, and every
/// other switch sends what is for one of them the way of what is for another. So whatever runs on two of
/// them takes as long when it changes places; and since no other host stands between them, jobs whose
/// ranks are in the order of their hosts keep that order, but for hosts of one run.
///
/// A host with several ports is in a run of its own, and so is every host where routes depend on the
/// sender: what is not found here may be alike all the same. Takes hosts times switches steps.
[[nodiscard]] std::vector<std::size_t> twin_runs(const Topology& topology);

}  // namespace gradwire::topologies
