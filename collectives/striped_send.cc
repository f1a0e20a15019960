#include "collectives/striped_send.h"

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives::striped_send {

Plan plan(const Member& self, std::size_t elements) {
  ensure(self.members() == 2, "a send has a sender and a receiver");
  const Rank other = self.group[1 - self.place];
  const std::size_t ports = self.topology.ports_per_host();
  Step step;
  for (std::size_t port = 0; port < ports; ++port) {
    const Extent stripe = part({0, elements}, ports, port);
    if (stripe.empty()) continue;
    if (self.place == 0) {
      step.sends.push_back(
          {topologies::send_peer(self.topology, self.rank(), other, Port(port)), stripe});
    } else {
      step.recvs.push_back({topologies::receive_peer(self.topology, self.rank(), other, Port(port)),
                            stripe, Combine::replace});
    }
  }
  return {.lanes = {{step}}};
}

double closed_form(std::size_t ports) {
  return 1 / static_cast<double>(ports);
}

}  // namespace gradwire::collectives::striped_send
