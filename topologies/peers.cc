#include "topologies/peers.h"

#include "core/error.h"

namespace gradwire::topologies {

Peer send_peer(const Topology& topology, Rank self, Rank to) {
  return send_peer(topology, self, to, topology.arrival_port(self, to));
}

Peer send_peer(const Topology& topology, Rank self, Rank to, Port to_port) {
  ensure(self != to, "a rank is not its own peer");
  ensure(to_port.index() < topology.ports_per_host(), "a host has the port");
  const Port via = topology.next_port_of_flow(topology.host(self), self, to, to_port);
  return {.rank = to, .via = via, .at = to_port};
}

Peer receive_peer(const Topology& topology, Rank self, Rank from) {
  return receive_peer(topology, self, from, topology.arrival_port(from, self));
}

Peer receive_peer(const Topology& topology, Rank self, Rank from, Port at_port) {
  const Peer sender = send_peer(topology, from, self, at_port);
  return {.rank = from, .via = sender.at, .at = sender.via};
}

}  // namespace gradwire::topologies
