#include "collectives/ring.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives::ring {
namespace {

/// A Plan of N-1 steps. In step s the member at place i of the ring sends the part of the member
/// `ahead` places before i - s, and receives that of the one before.
Plan pass_round(const Member& self, const Parts& parts, std::size_t ahead, Combine how) {
  const std::size_t members = self.members();
  ensure(parts.size() == members, "every member has a part");
  Lane lane(steps(members));
  if (members == 1) return {.lanes = {std::move(lane)}};
  const std::vector<std::size_t> order = ring_order(self);
  const auto found = std::ranges::find(order, self.place);
  const auto place = static_cast<std::size_t>(found - order.begin());
  const Rank right = self.group[order[(place + 1) % members]];
  const Rank left = self.group[order[(place + members - 1) % members]];
  const Peer to = topologies::send_peer(self.topology, self.rank(), right);
  const Peer from = topologies::receive_peer(self.topology, self.rank(), left);
  for (std::size_t s = 0; s < lane.size(); ++s) {
    const std::size_t sent = place + 2 * members - s - ahead;  // keeps the difference from wrapping
    for (const Extent& extent : parts[order[sent % members]]) {
      if (!extent.empty()) lane[s].sends.push_back({to, extent});
    }
    for (const Extent& extent : parts[order[(sent - 1) % members]]) {
      if (!extent.empty()) lane[s].recvs.push_back({from, extent, how});
    }
  }
  return {.lanes = {std::move(lane)}};
}

}  // namespace

Plan all_gather(const Member& self, const Parts& parts) {
  return pass_round(self, parts, 0, Combine::replace);
}

Plan reduce_scatter(const Member& self, const Parts& parts) {
  return pass_round(self, parts, 1, Combine::add);
}

std::size_t steps(std::size_t members) {
  return members - 1;
}

double closed_form(std::size_t members) {
  return share_of_others(members);
}

}  // namespace gradwire::collectives::ring
