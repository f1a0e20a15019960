#include "simulator/sharing.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire::simulator {

Sharing::Sharing(std::span<const double> capacities)
    : quantum_(capacities.empty() ? 1 : std::ranges::max(capacities)),
      links_(capacities.size()),
      queue_places_(capacities.size(), KeyedHeap::kNowhere),
      reached_(capacities.size()) {
  for (std::size_t i = 0; i < capacities.size(); ++i) set_capacity_of(links_[i], capacities[i]);
}

double Sharing::load(std::size_t number) const {
  const Link& link = links_[number];
  return link.held > 0 ? link.capacity : std::min(link.capacity, quantum_.rate(link.others));
}

std::uint32_t Sharing::take_slots(std::size_t count) {
  // Slots of a flow lie side by side, and go to a flow with as many links when it has ended: memory
  // grows with the flows that are active at once, not with all that there ever are.
  if (free_slots_.size() <= count) free_slots_.resize(count + 1);
  auto& free = free_slots_[count];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  ensure(slots_.size() + count < std::numeric_limits<std::uint32_t>::max(),
         "32 bits count the links of all flows");
  slots_.resize(slots_.size() + count);
  return static_cast<std::uint32_t>(slots_.size() - count);
}

FlowId Sharing::add(std::span<const LinkUse> uses) {
  FlowId id = 0;
  if (free_flows_.empty()) {
    id = static_cast<FlowId>(flows_.size());
    flows_.emplace_back();
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  const Flow flow{.first_slot = take_slots(uses.size()),
                  .slots = static_cast<std::uint32_t>(uses.size())};
  flows_[id] = flow;
  for (std::uint32_t i = 0; i < flow.slots; ++i) {
    Link& link = links_[uses[i].link];
    slots_[flow.first_slot + i] = {.link = uses[i].link,
                                   .times = uses[i].times,
                                   .position = static_cast<std::uint32_t>(link.flows.size())};
    link.flows.push_back({.flow = id, .slot = flow.first_slot + i});
    link.times += uses[i].times;
    ensure(link.times <= Quantum::kMostFlows, "a link carries up to 67 million flows");
    link.free_times += uses[i].times;
    touch(uses[i].link);
  }
  return id;
}

// Where many flows end at once they leave their links together: what has gone is counted first, and
// a link that loses much of what it carries is gone through once.
void Sharing::remove(std::span<const FlowId> flows) {
  for (const FlowId id : flows) give_back(id);
  for (const std::uint32_t number : losing_) sweep(links_[number]);
  for (const FlowId id : flows) {
    for (const Slot& slot : slots_of(flows_[id])) {
      Link& link = links_[slot.link];
      if (link.gone > 0) take_out(link, slot.position);
    }
  }
  for (const std::uint32_t number : losing_) {
    if (links_[number].held == 0) links_[number].reach.most = 0;
  }
  losing_.clear();
  // The number that is freed last is taken first: rising ones, so that they lie side by side.
  for (std::size_t i = flows.size(); i-- > 0;) {
    const Flow& flow = flows_[flows[i]];
    free_slots_[flow.slots].push_back(flow.first_slot);
    free_flows_.push_back(flows[i]);
  }
}

void Sharing::give_back(FlowId id) {
  Flow& flow = flows_[id];
  ensure(rate_of(flow) != kNoLevel, "what ends has had a rate");
  const WholeRate rate = links_[flow.holder].rate;
  for (const Slot& slot : slots_of(flow)) {
    Link& link = links_[slot.link];
    if (slot.link == flow.holder) {
      link.held_times -= slot.times;
    } else {
      link.others -= rate * slot.times;
    }
    link.times -= slot.times;
    if (link.gone++ > 0) continue;
    losing_.push_back(slot.link);
    touch(slot.link);
  }
  extend(flow.holder, flow, -1);
  flow.holder = kGone;
}

void Sharing::sweep(Link& link) {
  constexpr std::size_t kGreat = 4;  // one in so many: less is taken out one by one
  if (link.gone * kGreat < link.flows.size()) return;
  std::uint32_t kept = 0;
  std::uint32_t held = 0;
  for (std::uint32_t i = 0; i < link.flows.size() && link.gone < link.flows.size(); ++i) {
    const Crossing crossing = link.flows[i];
    if (flows_[crossing.flow].holder == kGone) continue;
    if (i < link.held) ++held;
    slots_[crossing.slot].position = kept;
    link.flows[kept++] = crossing;
  }
  link.flows.resize(kept);
  link.held = held;
  link.gone = 0;
}

void Sharing::take_out(Link& link, std::uint32_t position) {
  if (position < link.held) {
    swap(link, position, --link.held);
    position = link.held;
  }
  swap(link, position, static_cast<std::uint32_t>(link.flows.size() - 1));
  link.flows.pop_back();
  --link.gone;
}

void Sharing::set_capacity(std::size_t link, double capacity) {
  set_capacity_of(links_[link], capacity);
  touch(static_cast<std::uint32_t>(link));
}

void Sharing::set_capacity_of(Link& link, double capacity) const {
  link.capacity = capacity;
  link.limit = quantum_.whole(capacity * (1 + kAlike));
}

void Sharing::swap(Link& link, std::uint32_t a, std::uint32_t b) {
  std::swap(link.flows[a], link.flows[b]);
  slots_[link.flows[a].slot].position = a;
  slots_[link.flows[b].slot].position = b;
}

std::vector<std::uint32_t> Sharing::connected() {
  std::vector<std::uint32_t> found = touched_;
  std::vector<bool> has_link(links_.size());
  std::vector<bool> has_flow(flows_.size());
  for (const std::uint32_t link : found) has_link[link] = true;
  // `found` grows while it is gone through: breadth first.
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Crossing& crossing : links_[found[i]].flows) {
      if (has_flow[crossing.flow]) continue;
      has_flow[crossing.flow] = true;
      for (const Slot& slot : slots_of(flows_[crossing.flow])) {
        if (has_link[slot.link]) continue;
        has_link[slot.link] = true;
        found.push_back(slot.link);
      }
    }
  }
  return found;
}

}  // namespace gradwire::simulator
