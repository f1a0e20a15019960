#include "simulator/group_fabric.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire::simulator {

GroupFabric::GroupFabric(const WholeFabric& whole, std::span<const Rank> group)
    : whole_(whole), group_(group.begin(), group.end()) {
  for (std::size_t place = 0; place < group_.size(); ++place) {
    places_.emplace_back(group_[place].index(), place);
  }
  std::ranges::sort(places_);
}

ChannelEnd GroupFabric::opposite(std::size_t actor, const Peer& peer) const {
  ChannelEnd end = whole_.opposite(group_.at(actor).index(), peer);
  const auto found =
      std::ranges::lower_bound(places_, end.actor, {}, &std::pair<std::size_t, std::size_t>::first);
  ensure(found != places_.end() && found->first == end.actor, "members talk to members");
  end.actor = found->second;
  return end;
}

std::vector<LinkUse> GroupFabric::route(std::size_t actor, const Peer& peer) const {
  return whole_.route(group_.at(actor).index(), peer);
}

}  // namespace gradwire::simulator
