#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.h"
#include "simulator/network.h"

/// Who gets how much: the sharing of FluidNetwork, and the buckets that let links exceed their
/// rate.
///
/// Flows are shared by progressive filling (Bertsekas, Gallager, "Data Networks", section 6.5.2):
/// all rates rise together until a link is full; the flows on it keep that rate, and the others
/// rise on until the next link is full.
///
/// Why the result is max-min fair: a flow gets its rate when one of its links is full, and every
/// other flow on that link then has the same rate or got a lower one before. So its rate cannot
/// rise unless that of a flow no faster falls.
namespace gradwire::simulator {
namespace {

/// Shares this close to each other, in proportion, are the same. A link's share is what is left of
/// its capacity after up to thousands of subtractions, each of which may be off in the last bit.
constexpr double kAlike = 1e-9;
/// A burst begins only with this share of the bucket's tokens or more: with fewer it would end at
/// once, and bursts would begin and end without number.
constexpr double kWorthIt = 0.02;

}  // namespace

void FluidNetwork::settle() {
  if (started_.empty() && dirty_.empty()) return;
  ++sharing_;  // what was visited before now counts as not visited
  // The flows of a dirty component may fall apart into several, or be connected with others by what
  // has started. So each of them, and everything that has started, is the seed of a component.
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
    // The flow has ended since, or is in the component of an earlier seed.
    if (!flows_[seed].is_active || flows_[seed].visited == sharing_) continue;
    std::uint32_t number = 0;
    if (free_components_.empty()) {
      number = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
    } else {
      number = free_components_.back();
      free_components_.pop_back();
    }
    // Keeps the vectors' memory, and the version, by which older entries of the queue are void.
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
    look_at(flow);  // the old rate holds until now
    flow.is_fixed = false;
    // A component that nothing has happened to is connected with `seed` now, and becomes part of
    // this one.
    if (flow.component != 0) dissolve(flow.component - 1);
    component.flows.push_back(id);
  };
  meet(seed);
  // component.flows grows while it is gone through: breadth first, so that the order, which is that
  // of the reports, depends on nothing but the calls so far.
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

// A link is full when the level reaches its share, so the link with the least share is next.
//
// Shares only rise (up to rounding): a flow that gets the least share for its rate takes no more
// than their own share from its other links. So an entry of the heap is never above its link's
// share, and the least entry that still holds is the least share. One that holds no longer goes
// back with the link's share of now.
//
// This ends. A link that is full gives a rate to at least one flow, since `wanted` counts the flows
// without one. A link goes back only when a flow of it has got a rate since its entry was made. And
// the heap is not empty before the end: each link of a flow without a rate is in it.
void FluidNetwork::share(const Component& component) {
  shares_.clear();
  for (const std::uint32_t number : touched_links_) {
    Link& link = links_[number];
    link.left = capacity_of(link);
    link.usage = link.left;  // less what is left in the end, see below
    link.wanted = link.times;
    shares_.emplace_back(link.share(), number);
  }
  std::ranges::make_heap(shares_, std::greater<>{});
  std::size_t without_rate = component.flows.size();
  double level = 0;  // how far the rates of all flows without a rate have risen
  while (without_rate > 0) {
    std::ranges::pop_heap(shares_, std::greater<>{});
    const auto [before, number] = shares_.back();
    shares_.pop_back();
    const Link& link = links_[number];
    if (link.wanted == 0) continue;  // other links have limited all of its flows
    const double now = link.share();
    if (now > before * (1 + kAlike)) {  // flows have got less than this link's share since
      shares_.emplace_back(now, number);
      std::ranges::push_heap(shares_, std::greater<>{});
      continue;
    }
    // Where only rounding tells shares apart the level stays, so that flows which ought to be
    // equally fast are so to the bit, and end together. A link may then give a rounding error more
    // than it has: `left` below 0 counts as 0.
    if (now > level * (1 + kAlike)) level = now;
    for (const Crossing& crossing : link.flows) {
      if (flows_[crossing.flow].is_fixed) continue;
      give(crossing.flow, level);
      --without_rate;
    }
  }
  // What the flows of a link use together is its capacity less what is left of it.
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
  ensure(flows_.empty() && factor > 1,
         "buckets come before flows, and bursts are faster than the link");
  burst_ = bytes;
  burst_factor_ = factor;
  for (Link& link : links_) link.tokens = bytes;
}

void FluidNetwork::count_tokens(Link& link) const {
  // Above its capacity a link uses tokens up; below it gains some.
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
    const double slack = link.usage * now_ * kSimultaneous * 1.01;  // as in finish()
    if (!link.is_bursting || link.usage <= link.capacity || link.tokens > slack) continue;
    link.tokens = 0;
    link.is_bursting = false;
    ended = true;
  }
  return ended;
}

}  // namespace gradwire::simulator
