#include "topologies/peers.h"

namespace gradwire::topologies {

Peer send_peer(const Topology& topology, Rank self, Rank to) {
  const Port at = topology.arrival_port(self, to);
  return {.rank = to, .via = topology.next_port(topology.host(self), to, at), .at = at};
}

Peer receive_peer(const Topology& topology, Rank self, Rank from) {
  const Peer sender = send_peer(topology, from, self);
  return {.rank = from, .via = sender.at, .at = sender.via};
}

}  // namespace gradwire::topologies
