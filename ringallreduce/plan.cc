#include "ringallreduce/plan.h"

#include <algorithm>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/gray.h"
#include "topologies/peers.h"

namespace gradwire::ringallreduce {
namespace {

/// Where a rank stands in the ring, and between whom.
struct Position {
  std::size_t index;
  Rank left;
  Rank right;
};

void check_order(const std::vector<Rank>& order, std::size_t ranks) {
  std::vector<Rank> sorted = order;
  std::ranges::sort(sorted);
  bool permutation = sorted.size() == ranks;
  for (std::size_t i = 0; permutation && i < ranks; ++i) permutation = sorted[i] == Rank(i);
  if (!permutation) throw InputError("the ring order must name every rank exactly once");
}

/// Place `index` of natural_order, without the rest of it.
Rank natural_rank(const topologies::Topology& topology, std::size_t index) {
  const auto* bcube = dynamic_cast<const topologies::BCube*>(&topology);
  return bcube == nullptr ? Rank(index) : topologies::gray_rank(bcube->digits(), index);
}

Position natural_position(const topologies::Topology& topology, Rank rank) {
  const std::size_t ranks = topology.hosts();
  const auto* bcube = dynamic_cast<const topologies::BCube*>(&topology);
  const std::size_t index =
      bcube == nullptr ? rank.index() : topologies::gray_index(bcube->digits(), rank);
  return {.index = index,
          .left = natural_rank(topology, (index + ranks - 1) % ranks),
          .right = natural_rank(topology, (index + 1) % ranks)};
}

Position position_in(const std::vector<Rank>& order, std::size_t ranks, Rank rank) {
  check_order(order, ranks);
  const auto index = static_cast<std::size_t>(std::ranges::find(order, rank) - order.begin());
  ensure(index < ranks, "ring: the rank is in its order");
  return {.index = index,
          .left = order[(index + ranks - 1) % ranks],
          .right = order[(index + 1) % ranks]};
}

}  // namespace

std::vector<Rank> natural_order(const topologies::Topology& topology) {
  std::vector<Rank> order;
  order.reserve(topology.hosts());
  for (std::size_t i = 0; i < topology.hosts(); ++i) order.push_back(natural_rank(topology, i));
  return order;
}

Plan plan(const topologies::Topology& topology, Rank rank, std::size_t elements,
          const Options& options) {
  const std::size_t ranks = topology.hosts();
  if (options.pieces == 0) throw InputError("a ring's chunks need at least one piece");
  const Position position = options.order.empty() ? natural_position(topology, rank)
                                                  : position_in(options.order, ranks, rank);
  if (ranks == 1) return {};

  const Peer right = send_peer(topology, rank, position.right);
  const Peer left = receive_peer(topology, rank, position.left);
  const auto step = [&](std::size_t sent_chunk, std::size_t received_chunk, Combine how) {
    Step result;
    for (std::size_t i = 0; i < options.pieces; ++i) {
      const auto piece = [&](std::size_t chunk) {
        return part(part({0, elements}, ranks, chunk % ranks), options.pieces, i);
      };
      if (const Extent what = piece(sent_chunk); !what.empty()) {
        result.sends.push_back({right, what});
      }
      if (const Extent where = piece(received_chunk); !where.empty()) {
        result.recvs.push_back({left, where, how});
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
  return {.lanes = {std::move(lane)}};
}

double closed_form(std::size_t ranks) {
  return 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

}  // namespace gradwire::ringallreduce
