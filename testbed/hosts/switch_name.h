#pragma once

#include <string>

#include "core/id.h"
#include "topologies/topology.h"

namespace gradwire::hosts {

/// What an operator writes on a switch, a word that is also a switch's host name: "L1-0" is switch
/// 0 of a BCube's level 1, "S0" the single switch, "P2-E0" and "P2-A1" edge and aggregation
/// switches of a Fat-Tree's pod 2, "C3" one of its core. Requires a switch of a wiring with
/// addresses (topologies/address_plan.h).
[[nodiscard]] std::string switch_name(const topologies::Topology& topology, NodeId node);

}  // namespace gradwire::hosts
