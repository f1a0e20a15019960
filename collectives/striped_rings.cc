#include "collectives/striped_rings.h"

#include <utility>

#include "topologies/peers.h"

namespace gradwire::collectives::striped_rings {
namespace {

using topologies::Topology;

/// A rank's place in a ring, and its neighbours as Peers.
struct Position {
  std::size_t index;
  Peer left;   ///< as it receives from it
  Peer right;  ///< as it sends to it
};

Position position_of(const Topology& topology, Rank rank, std::size_t ring) {
  const topologies::RingPlace place = topology.ring_place(rank, ring);
  const Port here = topology.ring_port(place.left, rank, ring);
  const Port there = topology.ring_port(rank, place.right, ring);
  return {.index = place.index,
          .left = receive_peer(topology, rank, place.left, here),
          .right = send_peer(topology, rank, place.right, there)};
}

Lane ring_lane(const Position& position, std::size_t ranks, const Extent& stripe) {
  const auto step = [&](std::size_t sent_chunk, std::size_t received_chunk, Combine how) {
    Step result;
    const Extent what = part(stripe, ranks, sent_chunk % ranks);
    const Extent where = part(stripe, ranks, received_chunk % ranks);
    if (!what.empty()) result.sends.push_back({position.right, what});
    if (!where.empty()) result.recvs.push_back({position.left, where, how});
    return result;
  };
  Lane lane;
  lane.reserve(2 * (ranks - 1));
  const std::size_t i = position.index + ranks;  // keeps the differences below from wrapping
  for (std::size_t s = 0; s + 1 < ranks; ++s) {
    lane.push_back(step(i - s, i - s - 1, Combine::add));
  }
  for (std::size_t s = 0; s + 1 < ranks; ++s) {
    lane.push_back(step(i - s + 1, i - s, Combine::replace));
  }
  return lane;
}

}  // namespace

Plan plan(const Topology& topology, Rank rank, std::size_t elements) {
  const std::size_t ranks = topology.hosts();
  if (ranks == 1) return {};
  const bool alone = topology.ports_per_host() == 1;
  Plan plan{.stepping = alone ? Stepping::overlapped : Stepping::in_order};
  for (std::size_t ring = 0; ring < topology.ports_per_host(); ++ring) {
    const Extent stripe = part({0, elements}, topology.ports_per_host(), ring);
    plan.lanes.push_back(ring_lane(position_of(topology, rank, ring), ranks, stripe));
  }
  return plan;
}

double closed_form(std::size_t ranks, std::size_t ports) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks * ports);
}

}  // namespace gradwire::collectives::striped_rings
