#include "collectives/striped_rings.h"

#include <utility>

#include "ringallreduce/plan.h"
#include "topologies/peers.h"

namespace gradwire::collectives::striped_rings {
namespace {

using ringallreduce::Position;
using topologies::Topology;

Position position_of(const Topology& topology, Rank rank, std::size_t ring) {
  const topologies::RingPlace place = topology.ring_place(rank, ring);
  const Port here = topology.ring_port(place.left, rank, ring);
  const Port there = topology.ring_port(rank, place.right, ring);
  return {.index = place.index,
          .left = receive_peer(topology, rank, place.left, here),
          .right = send_peer(topology, rank, place.right, there)};
}

}  // namespace

Plan plan(const Topology& topology, Rank rank, std::size_t elements) {
  const std::size_t ranks = topology.hosts();
  if (ranks == 1) return {};
  const bool alone = topology.ports_per_host() == 1;
  Plan plan{.stepping = alone ? Stepping::overlapped : Stepping::in_order};
  for (std::size_t ring = 0; ring < topology.ports_per_host(); ++ring) {
    const Extent stripe = part({0, elements}, topology.ports_per_host(), ring);
    plan.lanes.push_back(lane(position_of(topology, rank, ring), ranks, stripe));
  }
  return plan;
}

bool ranks_are_alike(const Topology& topology, std::size_t elements) {
  const std::size_t ports = topology.ports_per_host();
  if (elements % (ports * topology.hosts()) != 0) return false;
  for (std::size_t ring = 0; ring < ports; ++ring) {
    if (!ringallreduce::is_rotation(topology, ring)) return false;
  }
  return true;
}

double closed_form(std::size_t ranks, std::size_t ports) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks * ports);
}

}  // namespace gradwire::collectives::striped_rings
