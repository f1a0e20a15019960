#include <utility>

#include "simulator/sharing.h"

namespace gradwire::simulator {

std::span<const Sharing::Reach::Entry> Sharing::reach(std::uint32_t number) {
  Link& link = links_[number];
  Reach& reach = link.reach;
  if (reach.most > 0) return reach.entries;
  reach.entries.clear();
  for (std::uint32_t i = 0; i < link.held; ++i) {
    for (const Slot& slot : slots_of(flows_[link.flows[i].flow])) {
      if (slot.link == number) continue;
      if (reached_[slot.link] == 0) reach.entries.push_back({.link = slot.link, .times = 0});
      reached_[slot.link] += static_cast<std::int32_t>(slot.times);
    }
  }
  for (Reach::Entry& entry : reach.entries) entry.times = std::exchange(reached_[entry.link], 0);
  // Going through a list that is twice as long costs as much as making it anew now and then.
  reach.most = reach.entries.size() + reach.entries.size() / 2 + 32;
  return reach.entries;
}

void Sharing::extend(std::uint32_t number, const Flow& flow, std::int32_t by) {
  Link& link = links_[number];
  Reach& reach = link.reach;
  if (reach.most == 0) return;
  if (link.held == 0 || reach.entries.size() + flow.slots > reach.most) {
    reach.most = 0;
    return;
  }
  for (const Slot& slot : slots_of(flow)) {
    if (slot.link == number) continue;
    reach.entries.push_back(
        {.link = slot.link, .times = by * static_cast<std::int32_t>(slot.times)});
  }
}

}  // namespace gradwire::simulator
