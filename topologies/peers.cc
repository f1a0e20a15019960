#include "topologies/peers.h"

namespace gradwire::topologies {

Peer send_peer(const Topology& topology, Rank self, Rank to) {
  return send_peer(topology, self, to, topology.arrival_port(self, to));
}

Peer receive_peer(const Topology& topology, Rank self, Rank from) {
  return receive_peer(topology, self, from, topology.arrival_port(from, self));
}

Peer send_peer(const Topology& topology, Rank self, Rank to, Port to_port) {
  return {.rank = to, .via = topology.next_port(topology.host(self), to, to_port), .at = to_port};
}

Peer receive_peer(const Topology& topology, Rank self, Rank from, Port at_port) {
  const Peer sender = send_peer(topology, from, self, at_port);
  return {.rank = from, .via = sender.at, .at = sender.via};
}

}  // namespace gradwire::topologies
