#include "topologies/cost.h"

namespace gradwire::topologies {

Cost cost_of(const Topology& topology) {
  Cost cost{.switches = topology.switches(), .cables = topology.links().size()};
  for (const Link& link : topology.links()) {
    for (const Attachment& end : {link.a, link.b}) {
      ++(topology.is_host(end.node) ? cost.nics : cost.switch_ports);
    }
  }
  return cost;
}

double price_of(const Cost& cost, const Prices& prices) {
  return static_cast<double>(cost.switches) * prices.per_switch +
         static_cast<double>(cost.switch_ports) * prices.per_switch_port +
         static_cast<double>(cost.nics) * prices.per_nic +
         static_cast<double>(cost.cables) * prices.per_cable;
}

}  // namespace gradwire::topologies
