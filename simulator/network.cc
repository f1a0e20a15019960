#include "simulator/network.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace gradwire::simulator {

FluidNetwork::FluidNetwork(std::vector<double> capacities) : links_(capacities.size()) {
  for (std::size_t i = 0; i < capacities.size(); ++i) links_[i].capacity = capacities[i];
}

std::span<FluidNetwork::Slot> FluidNetwork::slots_of(const Flow& flow) {
  return std::span(slots_).subspan(flow.first_use, flow.uses);
}

std::uint32_t FluidNetwork::take_slots(std::size_t count) {
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

FlowId FluidNetwork::start(std::span<const LinkUse> uses, double bytes) {
  ensure(!uses.empty() && bytes >= 0, "a flow carries bytes over links");
  FlowId id = 0;
  if (free_flows_.empty()) {
    id = static_cast<FlowId>(flows_.size());
    flows_.emplace_back();
  } else {
    id = free_flows_.back();
    free_flows_.pop_back();
  }
  Flow& flow = flows_[id];
  const std::uint32_t visited = flow.visited;  // survives, or the number would count as met
  flow = {.bytes = bytes, .left = bytes, .looked_at = now_, .visited = visited, .is_active = true};
  flow.uses = static_cast<std::uint32_t>(uses.size());
  flow.first_use = take_slots(uses.size());
  for (std::uint32_t i = 0; i < flow.uses; ++i) {
    Link& link = links_[uses[i].link];
    slots_[flow.first_use + i] = {.link = uses[i].link,
                                  .times = uses[i].times,
                                  .position = static_cast<std::uint32_t>(link.flows.size())};
    link.flows.push_back({.flow = id, .slot = flow.first_use + i});
    link.times += uses[i].times;
  }
  started_.push_back(id);
  ++active_;
  return id;
}

void FluidNetwork::set_milestone(FlowId id, double bytes) {
  Flow& flow = flows_[id];
  look_at(flow);
  flow.milestone = std::max(0.0, flow.bytes - bytes);
  if (flow.component != 0) unscheduled_.push_back(flow.component - 1);
}

void FluidNetwork::set_capacity(std::size_t link, double capacity) {
  links_[link].capacity = capacity;
  for (const Crossing& crossing : links_[link].flows) {
    if (flows_[crossing.flow].component != 0) make_dirty(flows_[crossing.flow].component - 1);
  }
}

void FluidNetwork::look_at(Flow& flow) const {
  flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.looked_at));
  flow.looked_at = now_;
}

void FluidNetwork::remove(FlowId id) {
  Flow& flow = flows_[id];
  for (const Slot& slot : slots_of(flow)) {
    Link& link = links_[slot.link];
    if (burst_ > 0) {
      count_tokens(link);
      // Exactly 0 with the last flow, or a rounding error would fill or empty the bucket for ever.
      link.usage = link.flows.size() == 1 ? 0 : link.usage - flow.rate * slot.times;
    }
    // The last crossing of the link takes this one's place, and its slot is told so.
    const Crossing last = link.flows.back();
    link.flows[slot.position] = last;
    slots_[last.slot].position = slot.position;
    link.flows.pop_back();
    link.times -= slot.times;
  }
  free_slots_[flow.uses].push_back(flow.first_use);
  flow.is_active = false;
  free_flows_.push_back(id);
  --active_;
}

void FluidNetwork::make_dirty(std::uint32_t component) {
  if (components_[component].is_dirty) return;
  components_[component].is_dirty = true;
  dirty_.push_back(component);
}

double FluidNetwork::next_event() {
  settle();
  std::ranges::sort(unscheduled_);
  unscheduled_.erase(std::unique(unscheduled_.begin(), unscheduled_.end()), unscheduled_.end());
  for (const std::uint32_t number : unscheduled_) schedule(number);
  unscheduled_.clear();
  // What was queued for an earlier version of a component does not happen any more.
  while (!queue_.empty() && components_[queue_.top().component].version != queue_.top().version) {
    queue_.pop();
  }
  return queue_.empty() ? kNever : queue_.top().time;
}

std::span<const FluidNetwork::Event> FluidNetwork::advance(double time) {
  ensure(time >= now_, "time does not go back");
  now_ = time;
  events_.clear();
  while (next_event() <= now_ * (1 + kSimultaneous)) {
    const Entry entry = queue_.top();
    queue_.pop();
    finish(entry.component);
  }
  return events_;
}

void FluidNetwork::finish(std::uint32_t number) {
  Component& component = components_[number];
  // A little more than advance() asks for: what it takes for due must not be left over here by a
  // rounding error, or it would be due for ever.
  const double slack = now_ * kSimultaneous * 1.01;
  bool ended = end_bursts(component);
  for (const FlowId id : component.flows) {
    Flow& flow = flows_[id];
    look_at(flow);
    if (flow.left <= flow.rate * slack) {
      events_.push_back({.flow = id, .done = true});
      remove(id);
      ended = true;
    } else if (flow.milestone > 0 && flow.left - flow.milestone <= flow.rate * slack) {
      flow.milestone = 0;
      events_.push_back({.flow = id, .done = false});
    }
  }
  if (ended) {
    make_dirty(number);  // what the ended flows had is shared anew, by next_event()
  } else {
    schedule(number);
  }
}

void FluidNetwork::schedule(std::uint32_t number) {
  Component& component = components_[number];
  double next = kNever;
  for (const FlowId id : component.flows) {
    const Flow& flow = flows_[id];
    if (flow.left == 0) next = std::min(next, flow.looked_at);  // even where a link is down
    if (flow.rate == 0) continue;
    next = std::min(next, flow.looked_at + (flow.left - flow.milestone) / flow.rate);
  }
  for (const std::uint32_t link_number : component.links) {
    const Link& link = links_[link_number];
    if (!link.is_bursting || link.usage <= link.capacity) continue;
    next = std::min(next, link.counted_at + link.tokens / (link.usage - link.capacity));
  }
  ++component.version;
  if (next < kNever) queue_.push({.time = next, .component = number, .version = component.version});
}

}  // namespace gradwire::simulator
