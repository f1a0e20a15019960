#include "collectives/binary_blocks.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "collectives/nested_groups.h"
#include "topologies/peers.h"

namespace gradwire::collectives::binary_blocks {
namespace {

using topologies::Topology;

/// The ranks [first, first + 2^levels).
struct Block {
  std::size_t first = 0;
  std::size_t levels = 0;

  [[nodiscard]] std::size_t size() const { return std::size_t{1} << levels; }
  [[nodiscard]] Rank at(std::size_t position) const { return Rank(first + position); }
  [[nodiscard]] std::vector<std::size_t> group_sizes() const {
    return std::vector<std::size_t>(levels, 2);
  }
};

/// The blocks of the ranks, the largest first.
std::vector<Block> blocks_of(std::size_t ranks) {
  std::vector<Block> blocks;
  for (std::size_t first = 0; first < ranks; first += blocks.back().size()) {
    const auto levels = static_cast<std::size_t>(std::bit_width(ranks - first)) - 1;
    blocks.push_back({.first = first, .levels = levels});
  }
  return blocks;
}

/// Builds the steps of one rank. Links are numbered after the smaller of their blocks: link i joins
/// block i to block i-1.
class BlockLane {
 public:
  BlockLane(const Topology& topology, Rank rank, std::size_t elements)
      : topology_(topology),
        self_(rank),
        elements_(elements),
        blocks_(blocks_of(topology.hosts())) {
    while (own_ + 1 < blocks_.size() && blocks_[own_ + 1].first <= rank.index()) ++own_;
    position_ = rank.index() - blocks_[own_].first;
  }

  [[nodiscard]] Lane lane() const {
    const std::size_t levels = blocks_.front().levels;
    const std::size_t links = blocks_.size() - 1;
    Lane lane(2 * (levels + links));
    halve_and_double(lane);
    if (own_ > 0) {
      give(lane[levels + links - own_], lane[levels + links + own_ - 1]);
    }
    if (own_ < links) {
      take(lane[levels + links - own_ - 1], lane[levels + links + own_]);
    }
    return lane;
  }

 private:
  /// The extent of the block's sums that a rank of the block holds after halving.
  [[nodiscard]] Extent held(const Block& block, std::size_t position) const {
    return part_at(block.group_sizes(), elements_, position, blocks_.front().size());
  }

  /// Adds the steps that halve to the lane's beginning and those that double to its end.
  void halve_and_double(Lane& lane) const {
    const Block& own = blocks_[own_];
    Lane steps = scatter_and_gather({.topology = topology_,
                                     .self = self_,
                                     .position = position_,
                                     .sizes = own.group_sizes(),
                                     .rank_of = [&own](std::size_t at) { return own.at(at); },
                                     .parts = blocks_.front().size()},
                                    elements_);
    const auto half = std::next(steps.begin(), static_cast<std::ptrdiff_t>(own.levels));
    std::move(steps.begin(), half, lane.begin());
    std::move_backward(half, steps.end(), lane.end());
  }

  /// Adds the rank's part in joining the larger block. Digit 0 of a position is the most
  /// significant of its part, so the parts of position p are those of the larger block's positions
  /// that end with p's digits.
  void give(Step& join, Step& back) const {
    const Block& larger = blocks_[own_ - 1];
    for (std::size_t at = position_; at < larger.size(); at += blocks_[own_].size()) {
      const Extent part = held(larger, at);
      if (part.empty()) continue;
      join.sends.push_back({topologies::send_peer(topology_, self_, larger.at(at)), part});
      back.recvs.push_back(
          {topologies::receive_peer(topology_, self_, larger.at(at)), part, Combine::replace});
    }
  }

  /// Adds the rank's part when the smaller block joins.
  void take(Step& join, Step& back) const {
    const Block& smaller = blocks_[own_ + 1];
    const Extent part = held(blocks_[own_], position_);
    if (part.empty()) return;
    const Rank giver = smaller.at(position_ % smaller.size());
    join.recvs.push_back({topologies::receive_peer(topology_, self_, giver), part, Combine::add});
    back.sends.push_back({topologies::send_peer(topology_, self_, giver), part});
  }

  const Topology& topology_;
  Rank self_;
  std::size_t elements_;
  std::vector<Block> blocks_;
  std::size_t own_ = 0;  ///< the rank's block
  std::size_t position_ = 0;
};

}  // namespace

Plan plan(const Topology& topology, Rank rank, std::size_t elements) {
  return {.lanes = {BlockLane(topology, rank, elements).lane()}, .stepping = Stepping::in_order};
}

double closed_form(std::size_t ranks) {
  const int blocks = std::popcount(ranks);
  const auto largest = static_cast<double>(std::bit_floor(ranks));
  if (blocks == 1) return 2 * (largest - 1) / largest;
  return blocks == 2 ? 2 - 1 / largest : 2;
}

}  // namespace gradwire::collectives::binary_blocks
