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

}  // namespace gradwire::topologies
