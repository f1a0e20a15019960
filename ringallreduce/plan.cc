#include "ringallreduce/plan.h"

#include <algorithm>

#include "core/error.h"
#include "ringallreduce/fixed_order.h"
#include "topologies/peers.h"

namespace gradwire::ringallreduce {
namespace {

using topologies::RingPlace;

void check_order(const std::vector<Rank>& order, std::size_t ranks) {
  std::vector<Rank> sorted = order;
  std::ranges::sort(sorted);
  bool permutation = sorted.size() == ranks;
  for (std::size_t i = 0; permutation && i < ranks; ++i) permutation = sorted[i] == Rank(i);
  if (!permutation) throw InputError("the ring order must name every rank exactly once");
}

RingPlace place_in(const std::vector<Rank>& order, std::size_t ranks, Rank rank) {
  check_order(order, ranks);
  const auto index = static_cast<std::size_t>(std::ranges::find(order, rank) - order.begin());
  ensure(index < ranks, "the rank is in the ring's order");
  return {.index = index,
          .left = order[(index + ranks - 1) % ranks],
          .right = order[(index + 1) % ranks]};
}

}  // namespace

std::vector<Rank> natural_order(const topologies::Topology& topology) {
  std::vector<Rank> order(topology.hosts());
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    order[topology.ring_place(Rank(i), 0).index] = Rank(i);
  }
  return order;
}

Lane lane(const Position& position, std::size_t ranks, const Extent& what, std::size_t pieces) {
  const auto step = [&](std::size_t sent_chunk, std::size_t received_chunk, Combine how) {
    Step result;
    for (std::size_t i = 0; i < pieces; ++i) {
      const auto piece = [&](std::size_t chunk) {
        return part(part(what, ranks, chunk % ranks), pieces, i);
      };
      if (const Extent sent = piece(sent_chunk); !sent.empty()) {
        result.sends.push_back({position.right, sent});
      }
      if (const Extent received = piece(received_chunk); !received.empty()) {
        result.recvs.push_back({position.left, received, how});
      }
    }
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

Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
          const Options& options) {
  const std::size_t ranks = topology.hosts();
  if (options.pieces == 0) throw InputError("a ring's chunks need at least one piece");
  const RingPlace place =
      options.order.empty() ? topology.ring_place(rank, 0) : place_in(options.order, ranks, rank);
  if (ranks == 1) return {};
  const Position position{.index = place.index,
                          .left = receive_peer(topology, rank, place.left),
                          .right = send_peer(topology, rank, place.right)};
  const std::size_t longest = part({0, elements}, ranks, 0).count;
  const std::size_t pieces = std::clamp<std::size_t>(longest, 1, options.pieces);
  const Extent whole{0, elements};
  return {.lanes = {options.fixed_order ? fixed_order::lane(position, ranks, whole, ranks * pieces)
                                        : lane(position, ranks, whole, pieces)}};
}

bool is_rotation(const topologies::Topology& topology, std::size_t ring) {
  const std::size_t ranks = topology.hosts();
  if (topology.translation() != std::vector{ranks}) return false;
  const Port arrival = topology.ring_port(Rank(0), Rank(1 % ranks), ring);
  for (std::size_t i = 0; i < ranks; ++i) {
    const RingPlace place = topology.ring_place(Rank(i), ring);
    const Rank left((i + ranks - 1) % ranks);
    const Rank right((i + 1) % ranks);
    if (place.index != i || place.left != left || place.right != right) return false;
    if (topology.ring_port(Rank(i), right, ring) != arrival) return false;
  }
  return true;
}

bool ranks_are_alike(const topologies::Topology& topology, std::size_t elements,
                     const Options& options) {
  return options.order.empty() && !options.fixed_order && elements % topology.hosts() == 0 &&
         is_rotation(topology, 0);
}

double closed_form(std::size_t ranks) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

}  // namespace gradwire::ringallreduce
