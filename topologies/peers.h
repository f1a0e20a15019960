#pragma once

#include "core/plan.h"
#include "topologies/topology.h"

/// The bridge from a wiring's routes to the Peers of a Plan.
namespace gradwire::topologies {

/// Rank `to` as `self` names it when it sends along the wiring's route. Requires self != to.
[[nodiscard]] Peer send_peer(const Topology& topology, Rank self, Rank to);
/// Rank `to` as `self` names it when it sends to port `to_port` of `to`: via is the port by which
/// route(self, to, to_port) leaves, at is `to_port`. Lanes that name different ports can use
/// different cables.
[[nodiscard]] Peer send_peer(const Topology& topology, Rank self, Rank to, Port to_port);

/// Rank `from` as `self` names it when it receives along the wiring's route. Requires self != from.
[[nodiscard]] Peer receive_peer(const Topology& topology, Rank self, Rank from);
/// Rank `from` as `self` names it when it receives at its own port `at_port`.
[[nodiscard]] Peer receive_peer(const Topology& topology, Rank self, Rank from, Port at_port);

}  // namespace gradwire::topologies
