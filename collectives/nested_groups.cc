#include "collectives/nested_groups.h"

#include <numeric>
#include <utility>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives {
namespace {

/// The places of positions' parts among the elements.
class Layout {
 public:
  Layout(const std::vector<std::size_t>& sizes, std::size_t elements, std::size_t parts)
      : sizes_(sizes),
        elements_(elements),
        positions_(std::accumulate(sizes.begin(), sizes.end(), std::size_t{1},
                                   std::multiplies<std::size_t>{})),
        parts_(parts == 0 ? positions_ : parts) {
    ensure(parts_ % positions_ == 0, "every position holds as many parts");
  }

  [[nodiscard]] std::size_t positions() const { return positions_; }

  /// The parts of all positions that agree with `position` in the digits 0..level.
  [[nodiscard]] Extent held(std::size_t position, std::size_t level) const {
    std::size_t first = 0;
    std::size_t span = parts_;
    for (std::size_t l = 0; l <= level; ++l) {
      span /= sizes_[l];
      first += position % sizes_[l] * span;
      position /= sizes_[l];
    }
    return part_range({0, elements_}, parts_, first, first + span);
  }

 private:
  const std::vector<std::size_t>& sizes_;
  std::size_t elements_;
  std::size_t positions_;
  std::size_t parts_;
};

}  // namespace

Lane scatter_and_gather(const NestedGroups& groups, std::size_t elements) {
  const Layout layout(groups.sizes, elements, groups.parts);
  ensure(groups.position < layout.positions(), "a rank has one of the positions");
  const std::size_t levels = groups.sizes.size();
  Lane lane(2 * levels);
  std::size_t weight = 1;
  for (std::size_t level = 0; level < levels; ++level) {
    Step& scatter = lane[level];
    Step& gather = lane[2 * levels - 1 - level];
    const std::size_t size = groups.sizes[level];
    const std::size_t digit = groups.position / weight % size;
    const Extent own = layout.held(groups.position, level);
    for (std::size_t offset = 1; offset < size; ++offset) {
      const std::size_t member =
          groups.position - digit * weight + (digit + offset) % size * weight;
      const Rank rank = groups.rank_of(member);
      const Peer to = topologies::send_peer(groups.topology, groups.self, rank);
      const Peer from = topologies::receive_peer(groups.topology, groups.self, rank);
      if (const Extent theirs = layout.held(member, level); !theirs.empty()) {
        scatter.sends.push_back({to, theirs});
        gather.recvs.push_back({from, theirs, Combine::replace});
      }
      if (!own.empty()) {
        scatter.recvs.push_back({from, own, Combine::add});
        gather.sends.push_back({to, own});
      }
    }
    weight *= size;
  }
  return lane;
}

Extent part_at(const std::vector<std::size_t>& sizes, std::size_t elements, std::size_t position,
               std::size_t parts) {
  const Layout layout(sizes, elements, parts);
  ensure(position < layout.positions(), "there is the position");
  return sizes.empty() ? Extent{0, elements} : layout.held(position, sizes.size() - 1);
}

}  // namespace gradwire::collectives
