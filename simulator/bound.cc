#include "simulator/bound.h"

namespace gradwire::simulator {

double step_bound(const Fabric& fabric, std::span<const Plan> plans) {
  return topologies::step_bound(plans, fabric.speeds(), [&](std::size_t actor, const Peer& to) {
    return fabric.route(actor, to);
  });
}

}  // namespace gradwire::simulator
