#include "collectives/double_binary_tree.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives::double_binary_tree {
namespace {

using topologies::Topology;

/// The parent of a place in tree 0, which has the places 0..N-1 in order: a place's level is that
/// of its lowest set bit, odd places are leaves, and place 0 is the root above the largest power of
/// two.
std::optional<std::size_t> parent_of(std::size_t ranks, std::size_t place) {
  if (place == 0) return std::nullopt;
  const std::size_t bit = place & (~place + 1);
  const std::size_t parent = (place ^ bit) | (bit << 1);
  return parent < ranks ? parent : place ^ bit;
}

std::vector<std::size_t> children_of(std::size_t ranks, std::size_t place) {
  if (ranks == 1) return {};
  if (place == 0) return {std::bit_floor(ranks - 1)};
  std::size_t below = (place & (~place + 1)) >> 1;
  if (below == 0) return {};
  std::vector<std::size_t> children{place - below};
  while (below > 0 && place + below >= ranks) below >>= 1;
  if (below > 0) children.push_back(place + below);
  return children;
}

/// The place of tree 0's shape that a rank has in a tree; also its inverse, the rank of a place.
std::size_t place_of(std::size_t ranks, std::size_t tree, std::size_t rank) {
  if (tree == 0) return rank;
  return ranks % 2 == 0 ? ranks - 1 - rank : (rank + ranks - 1) % ranks;
}

Rank rank_at(std::size_t ranks, std::size_t tree, std::size_t place) {
  if (tree == 0) return Rank(place);
  return Rank(ranks % 2 == 0 ? ranks - 1 - place : (place + 1) % ranks);
}

/// The depth D of the lowest leaf.
std::size_t lowest_depth(std::size_t ranks) {
  return static_cast<std::size_t>(std::bit_width(ranks - 1));
}

/// Adds one tree's transfers to the rank's lane.
class TreeSteps {
 public:
  TreeSteps(const Topology& topology, Rank self, std::size_t tree, std::size_t pieces)
      : topology_(topology),
        self_(self),
        family_(family(topology.hosts(), tree, self)),
        lowest_(lowest_depth(topology.hosts())),
        broadcast_(pieces + lowest_ - 1) {}

  void add_piece(Lane& lane, std::size_t number, const Extent& piece) const {
    const std::size_t up = lowest_ - family_.depth + number;
    const std::size_t down = broadcast_ + family_.depth + number;
    if (family_.parent) {
      lane[up].sends.push_back({send_peer(topology_, self_, *family_.parent), piece});
      lane[down - 1].recvs.push_back(
          {receive_peer(topology_, self_, *family_.parent), piece, Combine::replace});
    }
    for (const Rank child : family_.children) {
      lane[up - 1].recvs.push_back({receive_peer(topology_, self_, child), piece, Combine::add});
      lane[down].sends.push_back({send_peer(topology_, self_, child), piece});
    }
  }

 private:
  const Topology& topology_;
  Rank self_;
  Family family_;
  std::size_t lowest_;
  std::size_t broadcast_;  ///< first step of the broadcast
};

}  // namespace

Family family(std::size_t ranks, std::size_t tree, Rank rank) {
  const std::size_t place = place_of(ranks, tree, rank.index());
  Family family;
  for (auto above = parent_of(ranks, place); above; above = parent_of(ranks, *above)) {
    if (!family.parent) family.parent = rank_at(ranks, tree, *above);
    ++family.depth;
  }
  for (const std::size_t child : children_of(ranks, place)) {
    family.children.push_back(rank_at(ranks, tree, child));
  }
  return family;
}

std::size_t default_pieces(std::size_t elements) {
  const std::size_t half = elements / 2 * sizeof(float);
  return std::clamp<std::size_t>(half / kLeastPiece, 1, Options{}.pieces);
}

Plan plan(const Topology& topology, Rank rank, std::size_t elements, const Options& options) {
  if (options.pieces == 0) throw InputError("a tree's halves need at least one piece");
  const std::size_t ranks = topology.hosts();
  if (ranks == 1) return {};
  const std::size_t longest = part({0, elements}, 2, 0).count;
  const std::size_t pieces = std::clamp<std::size_t>(longest, 1, options.pieces);
  Lane lane(2 * (pieces + lowest_depth(ranks) - 1));
  for (std::size_t tree = 0; tree < 2; ++tree) {
    const TreeSteps steps(topology, rank, tree, pieces);
    const Extent half = part({0, elements}, 2, tree);
    for (std::size_t i = 0; i < pieces; ++i) {
      const Extent piece = part(half, pieces, i);
      if (!piece.empty()) steps.add_piece(lane, i, piece);
    }
  }
  return {.lanes = {std::move(lane)}};
}

double closed_form(std::size_t ranks, const Options& options) {
  if (ranks < 4) return static_cast<double>(ranks - 1);
  const auto depth = static_cast<double>(lowest_depth(ranks));
  const bool lone_chain = options.pieces == 1 && std::has_single_bit(ranks - 1);
  return 2 + (2 * depth - 3) / static_cast<double>(options.pieces) - (lone_chain ? 1 : 0);
}

}  // namespace gradwire::collectives::double_binary_tree
