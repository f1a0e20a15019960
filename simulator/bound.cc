#include "simulator/bound.h"

#include "topologies/least_time.h"

namespace gradwire::simulator {

double least_time(const Fabric& fabric, std::span<const Plan> plans, double burst) {
  topologies::Carriage carriage = topologies::carriage_of(fabric.topology());
  carriage.speeds = fabric.speeds();
  carriage.links_of = [&](std::size_t actor, const Peer& to) { return fabric.route(actor, to); };
  carriage.opposite = [&](std::size_t actor, const Peer& to) { return fabric.opposite(actor, to); };
  return topologies::least_time(plans, carriage, burst);
}

}  // namespace gradwire::simulator
