#pragma once

#include <cstddef>
#include <vector>

#include "topologies/topology.h"

namespace gradwire::topologies {

/// The run of each host, as the lowest number in it: a run is consecutive hosts of which any two
/// can change places. They hang off one switch by cables of one speed, and every other switch
/// forwards bytes for one of them like bytes for another. So programs on two of them take as long
/// when they change places. Since no other host stands between them, jobs whose ranks are in the
/// order of their hosts keep that order, except within a run.
///
/// A host with several ports is in a run of its own, and so is every host where routes depend on
/// the sender: hosts of different runs may still be alike. Takes hosts times switches steps.
[[nodiscard]] std::vector<std::size_t> twin_runs(const Topology& topology);

}  // namespace gradwire::topologies
