#include "collectives/striped_rings.h"

#include <utility>

#include "topologies/bcube.h"
#include "topologies/gray.h"
#include "topologies/peers.h"

namespace gradwire::collectives::striped_rings {
namespace {

using topologies::Topology;

/// Where a rank stands in a ring, and its neighbours.
struct Position {
  std::size_t index;
  Peer left;   ///< as it receives from it
  Peer right;  ///< as it sends to it
};

Position position_of(const Topology& topology, Rank rank, std::size_t ring) {
  const std::size_t ranks = topology.hosts();
  if (const auto* bcube = dynamic_cast<const topologies::BCube*>(&topology)) {
    const std::size_t index = gray_index(bcube->digits(), rank, ring);
    const Rank left = gray_rank(bcube->digits(), (index + ranks - 1) % ranks, ring);
    const Rank right = gray_rank(bcube->digits(), (index + 1) % ranks, ring);
    return {.index = index,
            .left = receive_peer(topology, rank, left),
            .right = send_peer(topology, rank, right)};
  }
  const std::size_t index = rank.index();
  const Rank left((index + ranks - 1) % ranks);
  const Rank right((index + 1) % ranks);
  return {.index = index,
          .left = receive_peer(topology, rank, left, Port(ring)),
          .right = send_peer(topology, rank, right, Port(ring))};
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
