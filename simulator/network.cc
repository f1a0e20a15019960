#include "simulator/network.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "core/error.h"

namespace gradwire::simulator {
namespace {

/// Times this close to each other are the same.
constexpr double kSimultaneous = 1e-12;
/// Shares this close to each other are the same: subtracting a thousand rates from a capacity costs
/// that many digits.
constexpr double kAlike = 1e-9;
/// A bucket with a smaller share of its tokens does not begin a burst: it would end at once.
constexpr double kWorthIt = 0.02;

}  // namespace

FluidNetwork::FluidNetwork(std::vector<double> capacities) : links_(capacities.size()) {
  for (std::size_t i = 0; i < capacities.size(); ++i) links_[i].capacity = capacities[i];
}

void FluidNetwork::set_bursts(double bytes, double factor) {
  ensure(flows_.empty() && factor > 1, "buckets come before flows");
  burst_ = bytes;
  burst_factor_ = factor;
  for (Link& link : links_) link.tokens = bytes;
}

void FluidNetwork::count_tokens(Link& link) const {
  const double gained = (link.capacity - link.usage) * (now_ - link.counted_at);
  link.tokens = std::clamp(link.tokens + gained, 0.0, burst_);
  link.counted_at = now_;
}

double FluidNetwork::capacity_of(Link& link) const {
  if (burst_ == 0) return link.capacity;
  count_tokens(link);
  link.is_bursting = link.tokens > kWorthIt * burst_;
  return link.is_bursting ? link.capacity * burst_factor_ : link.capacity;
}

bool FluidNetwork::end_bursts(const Component& component) {
  bool ended = false;
  for (const std::uint32_t number : component.links) {
    Link& link = links_[number];
    count_tokens(link);
    const double slack = link.usage * now_ * kSimultaneous * 1.01;
    if (!link.is_bursting || link.usage <= link.capacity || link.tokens > slack) continue;
    link.tokens = 0;
    link.is_bursting = false;
    ended = true;
  }
  return ended;
}

std::span<FluidNetwork::Slot> FluidNetwork::slots_of(const Flow& flow) {
  return std::span(slots_).subspan(flow.first_use, flow.uses);
}

std::uint32_t FluidNetwork::take_slots(std::size_t count) {
  if (free_slots_.size() <= count) free_slots_.resize(count + 1);
  auto& free = free_slots_[count];
  if (!free.empty()) {
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }
  ensure(slots_.size() + count < std::numeric_limits<std::uint32_t>::max(),
         "flows fit the machine");
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
  const std::uint32_t visited = flow.visited;
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
      link.usage = link.flows.size() == 1 ? 0 : link.usage - flow.rate * slot.times;
    }
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
    make_dirty(number);
  } else {
    schedule(number);
  }
}

void FluidNetwork::settle() {
  if (started_.empty() && dirty_.empty()) return;
  ++sharing_;
  std::vector<FlowId> seeds = std::move(started_);
  started_.clear();
  for (const std::uint32_t number : dirty_) {
    const auto& flows = components_[number].flows;
    seeds.insert(seeds.end(), flows.begin(), flows.end());
  }
  std::vector<std::uint32_t> dirty = std::move(dirty_);
  dirty_.clear();
  for (const std::uint32_t number : dirty) dissolve(number);
  for (const FlowId seed : seeds) {
    if (!flows_[seed].is_active || flows_[seed].visited == sharing_) continue;
    std::uint32_t number = 0;
    if (free_components_.empty()) {
      number = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
    } else {
      number = free_components_.back();
      free_components_.pop_back();
    }
    Component component{.flows = std::move(components_[number].flows),
                        .links = std::move(components_[number].links),
                        .version = components_[number].version};
    collect(seed, component);
    for (const FlowId id : component.flows) flows_[id].component = number + 1;
    share(component);
    if (burst_ > 0) component.links = touched_links_;
    components_[number] = std::move(component);
    schedule(number);
  }
}

void FluidNetwork::collect(FlowId seed, Component& component) {
  component.flows.clear();
  touched_links_.clear();
  const auto meet = [&](FlowId id) {
    Flow& flow = flows_[id];
    if (flow.visited == sharing_) return;
    flow.visited = sharing_;
    look_at(flow);
    flow.is_fixed = false;
    if (flow.component != 0) dissolve(flow.component - 1);
    component.flows.push_back(id);
  };
  meet(seed);
  for (std::size_t i = 0; i < component.flows.size(); ++i) {
    for (const Slot& slot : slots_of(flows_[component.flows[i]])) {
      Link& link = links_[slot.link];
      if (link.visited == sharing_) continue;
      link.visited = sharing_;
      touched_links_.push_back(slot.link);
      for (const Crossing& crossing : link.flows) meet(crossing.flow);
    }
  }
}

void FluidNetwork::dissolve(std::uint32_t number) {
  Component& component = components_[number];
  for (const FlowId id : component.flows) {
    if (flows_[id].component == number + 1) flows_[id].component = 0;
  }
  component.flows.clear();
  component.is_dirty = false;
  ++component.version;
  free_components_.push_back(number);
}

void FluidNetwork::share(const Component& component) {
  const auto share_of = [](const Link& link) {
    return std::max(0.0, link.left) / static_cast<double>(link.wanted);
  };
  shares_.clear();
  for (const std::uint32_t number : touched_links_) {
    Link& link = links_[number];
    link.left = capacity_of(link);
    link.usage = link.left;  // less what is left of it in the end
    link.wanted = link.times;
    shares_.emplace_back(share_of(link), number);
  }
  std::ranges::make_heap(shares_, std::greater<>{});
  std::size_t without_rate = component.flows.size();
  double level = 0;
  while (without_rate > 0) {
    std::ranges::pop_heap(shares_, std::greater<>{});
    const auto [before, number] = shares_.back();
    shares_.pop_back();
    const Link& link = links_[number];
    if (link.wanted == 0) continue;
    const double now = share_of(link);
    if (now > before * (1 + kAlike)) {  // others have taken less than their share of it since
      shares_.emplace_back(now, number);
      std::ranges::push_heap(shares_, std::greater<>{});
      continue;
    }
    if (now > level * (1 + kAlike)) level = now;
    for (const Crossing& crossing : link.flows) {
      if (flows_[crossing.flow].is_fixed) continue;
      give(crossing.flow, level);
      --without_rate;
    }
  }
  for (const std::uint32_t number : touched_links_) {
    links_[number].usage -= std::max(0.0, links_[number].left);
  }
}

void FluidNetwork::give(FlowId id, double rate) {
  Flow& flow = flows_[id];
  flow.is_fixed = true;
  ++rates_given_;
  flow.rate = rate;
  for (const Slot& slot : slots_of(flow)) {
    Link& link = links_[slot.link];
    link.left -= rate * slot.times;
    link.wanted -= slot.times;
  }
}

void FluidNetwork::schedule(std::uint32_t number) {
  Component& component = components_[number];
  double next = kNever;
  for (const FlowId id : component.flows) {
    const Flow& flow = flows_[id];
    if (flow.left == 0) next = std::min(next, flow.looked_at);
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
