#include "simulator/bound.h"

#include "topologies/least_time.h"

namespace gradwire::simulator {

double least_time(const Fabric& fabric, std::span<const Plan> plans, double burst) {
  const topologies::Topology& topology = fabric.topology();
  const topologies::Carriage carriage{
      .speeds = fabric.speeds(),
      .links_of = [&](std::size_t actor, const Peer& to) { return fabric.route(actor, to); },
      .opposite = [&](std::size_t actor, const Peer& peer) { return fabric.opposite(actor, peer); },
      .port_speed =
          [&](std::size_t actor, Port port) {
            return topology.speed_at({topology.host(Rank(actor)), port});
          }};
  return topologies::least_time(plans, carriage, burst);
}

}  // namespace gradwire::simulator
