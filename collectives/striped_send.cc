#include "collectives/striped_send.h"

#include <vector>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives::striped_send {

namespace {

/// The ports of `to` at which bytes addressed there arrive. At others they would come in through
/// the wrong cable, and if each port is an address of its own nobody takes them there.
std::vector<Port> reached(const topologies::Topology& topology, Rank from, Rank to) {
  std::vector<Port> ports;
  for (std::size_t i = 0; i < topology.ports_per_host(); ++i) {
    const topologies::Hop last = topology.route(from, to, Port(i)).back();
    if (topology.arrival(last).port == Port(i)) ports.emplace_back(i);
  }
  ensure(!ports.empty(), "a host is reached at a port");
  return ports;
}

}  // namespace

Plan plan(const Member& self, std::size_t elements) {
  ensure(self.members() == 2, "a send has a sender and a receiver");
  const Rank other = self.group[1 - self.place];
  const std::vector<Port> ports = reached(self.topology, self.group[0], self.group[1]);
  Step step;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const Extent stripe = part({0, elements}, ports.size(), i);
    if (stripe.empty()) continue;
    if (self.place == 0) {
      step.sends.push_back(
          {topologies::send_peer(self.topology, self.rank(), other, ports[i]), stripe});
    } else {
      step.recvs.push_back({topologies::receive_peer(self.topology, self.rank(), other, ports[i]),
                            stripe, Combine::replace});
    }
  }
  return {.lanes = {{step}}};
}

double closed_form(std::size_t ports) {
  return 1 / static_cast<double>(ports);
}

}  // namespace gradwire::collectives::striped_send
