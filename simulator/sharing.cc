#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.h"
#include "simulator/network.h"

/// Who gets how much: the sharing of FluidNetwork, and the buckets that let links exceed their
/// rate.
namespace gradwire::simulator {
namespace {

/// Shares this close to each other are the same: subtracting a thousand rates from a capacity costs
/// that many digits.
constexpr double kAlike = 1e-9;
/// A bucket with a smaller share of its tokens does not begin a burst: it would end at once.
constexpr double kWorthIt = 0.02;

}  // namespace

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
  component.links.clear();
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

}  // namespace gradwire::simulator
