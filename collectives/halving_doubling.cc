#include "collectives/halving_doubling.h"

#include <bit>
#include <iterator>
#include <utility>
#include <vector>

#include "collectives/nested_groups.h"
#include "topologies/peers.h"

namespace gradwire::collectives::halving_doubling {
namespace {

using topologies::Topology;

/// The exchange of a folded pair before and after: one rank sends all it has to the other, and gets
/// all sums back.
struct Fold {
  Step before;
  Step after;
};

Fold fold(const Topology& topology, Rank rank, std::size_t elements) {
  Fold fold;
  if (elements == 0) return fold;
  const Extent all{0, elements};
  const Rank partner(rank.index() ^ 1);
  const Peer to = send_peer(topology, rank, partner);
  const Peer from = receive_peer(topology, rank, partner);
  if (rank.index() % 2 == 0) {
    fold.before.sends.push_back({to, all});
    fold.after.recvs.push_back({from, all, Combine::replace});
  } else {
    fold.before.recvs.push_back({from, all, Combine::add});
    fold.after.sends.push_back({to, all});
  }
  return fold;
}

}  // namespace

Plan plan(const Topology& topology, Rank rank, std::size_t elements) {
  const std::size_t ranks = topology.hosts();
  const std::size_t folded = ranks - std::bit_floor(ranks);  // pairs
  const auto levels = static_cast<std::size_t>(std::bit_width(ranks)) - 1;
  const bool in_pair = rank.index() < 2 * folded;

  Lane lane(2 * levels);
  if (!in_pair || rank.index() % 2 == 1) {
    lane = scatter_and_gather(
        {.topology = topology,
         .self = rank,
         .position = in_pair ? rank.index() / 2 : rank.index() - folded,
         .sizes = std::vector<std::size_t>(levels, 2),
         .rank_of =
             [folded](std::size_t position) {
               return Rank(position < folded ? 2 * position + 1 : position + folded);
             }},
        elements);
  }
  if (folded > 0) {
    Fold pair = in_pair ? fold(topology, rank, elements) : Fold{};
    lane.insert(lane.begin(), std::move(pair.before));
    lane.push_back(std::move(pair.after));
  }
  return {.lanes = {std::move(lane)}, .stepping = Stepping::in_order};
}

double closed_form(std::size_t ranks) {
  const std::size_t power = std::bit_floor(ranks);
  const double trade = 2 * static_cast<double>(power - 1) / static_cast<double>(power);
  return power == ranks ? trade : trade + 2;
}

}  // namespace gradwire::collectives::halving_doubling
