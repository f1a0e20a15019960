#pragma once

#include "core/plan.h"
#include "topologies/topology.h"

/// Conversion from a wiring's routes to the Peers of a Plan.
namespace gradwire::topologies {

/// The Peer by which `self` sends to rank `to` along the wiring's route. Requires self != to.
[[nodiscard]] Peer send_peer(const Topology& topology, Rank self, Rank to);
/// The Peer by which `self` sends to port `to_port` of `to`: via is the port by which route(self,
/// to, to_port) leaves, at is `to_port`. Lanes that name different ports can use different cables.
[[nodiscard]] Peer send_peer(const Topology& topology, Rank self, Rank to, Port to_port);

/// The Peer by which `self` receives from rank `from` along the wiring's route. Requires self !=
/// from.
[[nodiscard]] Peer receive_peer(const Topology& topology, Rank self, Rank from);
/// The Peer by which `self` receives from rank `from` at its own port `at_port`.
[[nodiscard]] Peer receive_peer(const Topology& topology, Rank self, Rank from, Port at_port);

}  // namespace gradwire::topologies
