#include <algorithm>
#include <functional>

#include "simulator/sharing.h"

/// The level at which a link is full if all others stay as they are.
namespace gradwire::simulator {

// The level s that fills the link: what others use and what is left for its own and for free flows,
// each with s. Never too high: where a rival is faster than s, what it would give back makes s
// rise.
void Sharing::estimate(Link& link) const {
  link.is_stale = false;
  if (link.own() > 0) {
    const double left = link.capacity - quantum_.rate(link.others);
    link.estimate = std::max(level_, left / link.own());
    link.is_exact = link.estimate >= link.fastest;
  } else if (link.others <= link.limit) {
    link.estimate = kNoLevel;
    link.is_exact = true;
  } else {
    // All are rivals; with the same rate for all the link would be full.
    link.estimate = std::max(level_, link.capacity / link.times);
    link.is_exact = false;
  }
}

bool Sharing::is_rival(const Flow& flow, double level) const {
  const double rate = rate_of(flow);
  return rate != kNoLevel && rate > level && !is_fixed(flow.holder);
}

// Rivals move over one by one, the fastest first, until none is left above the level. Each makes it
// rise, but not above its own rate.
void Sharing::solve(Link& link) {
  rivals_.clear();
  link.fastest = 0;
  for (std::size_t i = link.held; i < link.flows.size(); ++i) {
    const Flow& flow = flows_[link.flows[i].flow];
    const double rate = rate_of(flow);
    if (rate == kNoLevel) continue;
    link.fastest = std::max(link.fastest, rate);
    if (is_rival(flow, link.estimate)) {
      rivals_.push_back({.rate = rate, .times = slots_[link.flows[i].slot].times});
    }
  }
  std::ranges::stable_sort(rivals_, std::greater<>{}, &Rival::rate);
  WholeRate others = link.others;
  std::uint32_t own = link.own();
  double level = own > 0 ? link.estimate : kNoLevel;
  for (const Rival& rival : rivals_) {
    if (own > 0 && rival.rate <= level) break;
    others -= quantum_.whole(rival.rate) * rival.times;
    own += rival.times;
    level = std::max(level_, (link.capacity - quantum_.rate(others)) / own);
  }
  link.estimate = level;
  link.is_exact = true;
}

bool Sharing::can_give(Link& link, double level) {
  estimate(link);
  if (link.estimate * (1 + kAlike) < level && !link.is_exact) solve(link);
  return link.estimate * (1 + kAlike) >= level;
}

}  // namespace gradwire::simulator
