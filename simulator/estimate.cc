#include <algorithm>
#include <cstddef>
#include <cstdint>

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

// With all rivals that are faster than a level too low, the link is full at a level that is higher
// and not yet too high: what gets less than them is counted with its rate, and the line through a
// concave curve lies above it. So the level rises until no rival is left between two rounds.
void Sharing::solve(Link& link) {
  gather_rivals(link);
  double level = link.own() > 0 ? link.estimate : kNoLevel;
  for (std::size_t before = SIZE_MAX; !rivals_.empty() && rivals_.size() < before;) {
    before = rivals_.size();
    WholeRate others = link.others;
    std::uint32_t own = link.own();
    for (const Rival& rival : rivals_) {
      others -= rival.whole * rival.times;
      own += rival.times;
    }
    level = std::max(level_, (link.capacity - quantum_.rate(others)) / own);
    std::erase_if(rivals_, [&](const Rival& rival) { return rival.rate <= level; });
  }
  link.estimate = level;
  link.is_exact = true;
}

void Sharing::gather_rivals(Link& link) {
  rivals_.clear();
  link.fastest = 0;
  for (std::size_t i = link.held; i < link.flows.size(); ++i) {
    const Flow& flow = flows_[link.flows[i].flow];
    const double rate = rate_of(flow);
    if (rate == kNoLevel) continue;
    link.fastest = std::max(link.fastest, rate);
    if (is_rival(flow, link.estimate)) {
      rivals_.push_back({.whole = links_[flow.holder].rate,
                         .rate = rate,
                         .times = slots_[link.flows[i].slot].times});
    }
  }
}

bool Sharing::can_give(Link& link, double level) {
  estimate(link);
  if (link.estimate * (1 + kAlike) < level && !link.is_exact) solve(link);
  return link.estimate * (1 + kAlike) >= level;
}

}  // namespace gradwire::simulator
