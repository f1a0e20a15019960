#include <algorithm>
#include <functional>

#include "simulator/sharing.h"

/// How levels are made right again, from the lowest upwards, and why that is exact.
///
/// Filling a network anew (Bertsekas, Gallager, "Data Networks", section 6.5.2) raises all rates
/// together; a link that is full fixes the rates of its flows that no lower link holds. Up to a
/// rate x the filling sees of every flow only the lesser of x and its rate. So a link fills up at
/// the same level as before, with the same flows, unless one of its flows has come, gone, or got
/// another rate at a lower level, or its capacity has changed. Only links to which that happens are
/// looked at: they are *touched*.
///
/// A touched link waits at the lower of two levels: that at which it was full before, and that at
/// which it is full now if all other links stay as they are (`estimate`). The lowest one of all is
/// next, and nothing below it changes any more:
///
///   - If it is the old level, the link is not full there any more, and lets go: what it held is
///     free, which touches the other links of these flows. It waits again, for its new level.
///   - If it is the new level, that is fixed. The link takes over all flows that no lower link
///     holds: its own, free ones, and *rivals*, which links above hold. Where a rate has changed,
///     the other links of the flow are touched.
///
/// The estimate may be wrong, but only above what is fixed: what it takes for granted of other
/// links changes at their levels, old or new, and when one of those that lie below the estimate
/// changes, this link is touched and estimated again. Going by the new level alone would be wrong:
/// a link that rises from 1 to 3 frees flows that press on a link of level 2.
///
/// This ends. A link lets go once at most, because it has no level then, and is fixed once. Flows
/// of links that are fixed do not move, and a flow that gets free at the very level of a link that
/// is fixed belongs to that link.
namespace gradwire::simulator {
namespace {

/// Levels this close to each other, in proportion, are the same, so that flows which ought to be
/// equally fast are so to the bit.
constexpr double kAlike = 1e-13;

bool are_alike(double a, double b) {
  return a == b || (a < Sharing::kNoLevel && b < Sharing::kNoLevel &&
                    std::max(a, b) <= std::min(a, b) * (1 + kAlike));
}

}  // namespace

void Sharing::touch(std::uint32_t number) {
  Link& link = links_[number];
  if (link.is_touched || is_fixed(number)) return;
  link.is_touched = true;
  touched_.push_back(number);
}

void Sharing::repair() {
  changed_.clear();
  moved_.clear();
  level_ = 0;
  for (requeue(); !queue_.empty(); requeue()) {
    const auto [key, number] = queue_.top();
    Link& link = links_[number];
    if (!link.is_exact) solve(link);
    const double next = std::min(link.level, link.estimate);
    if (next == kNoLevel) {
      queue_.erase(number, queue_places_);
    } else if (next > key) {
      queue_.set(number, next, queue_places_);  // others may be lower
    } else {
      // Where only rounding tells levels apart the level stays.
      if (next > level_ * (1 + kAlike)) level_ = next;
      if (are_alike(link.estimate, link.level)) {
        fix(number, link.level);
      } else if (link.estimate > link.level) {
        let_go(number);
      } else {
        fix(number, level_);
      }
    }
  }
  ++repair_;
}

void Sharing::requeue() {
  for (const std::uint32_t number : touched_) {
    Link& link = links_[number];
    link.is_touched = false;
    if (is_fixed(number)) continue;
    estimate(link);
    const double key = std::min(link.level, link.estimate);
    if (key == kNoLevel) {
      queue_.erase(number, queue_places_);
    } else {
      queue_.set(number, key, queue_places_);
    }
  }
  touched_.clear();
}

// The level s that fills the link: what others use and what is left for its own and for free flows,
// each with s. Never too high: where a rival is faster than s, what it would give back makes s
// rise.
void Sharing::estimate(Link& link) const {
  const auto own = static_cast<double>(link.held_times + link.free_times);
  const double others = link.others_load();
  if (own > 0) {
    link.estimate = std::max(level_, (link.capacity - others) / own);
    link.is_exact = link.estimate >= link.fastest;
  } else if (others <= link.capacity * (1 + kAlike)) {
    link.estimate = kNoLevel;
    link.is_exact = true;
  } else {
    // All are rivals; with the same rate for all the link would be full.
    link.estimate = std::max(level_, link.capacity / static_cast<double>(link.times));
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
  ExactSum others = link.others;
  auto own = static_cast<double>(link.held_times + link.free_times);
  double level = own > 0 ? link.estimate : kNoLevel;
  for (const Rival& rival : rivals_) {
    if (own > 0 && rival.rate <= level) break;
    others.subtract(rival.rate * rival.times);
    own += rival.times;
    level = std::max(level_, (link.capacity - std::max(0.0, others.value())) / own);
  }
  link.estimate = level;
  link.is_exact = true;
}

void Sharing::Link::count(double before, double now, std::uint32_t by) {
  if (before == kNoLevel) {
    free_times -= by;
  } else {
    others.subtract(before * by);
  }
  if (now == kNoLevel) {
    free_times += by;
  } else {
    others.add(now * by);
    fastest = std::max(fastest, now);
  }
}

void Sharing::note_change(std::uint32_t number) {
  if (links_[number].changed_in == repair_) return;
  links_[number].changed_in = repair_;
  changed_.push_back(number);
}

void Sharing::let_go(std::uint32_t number) {
  Link& link = links_[number];
  const double before = link.level;
  link.level = kNoLevel;
  note_change(number);
  touch(number);
  // Backwards, because a flow may leave the link at its turn.
  for (std::uint32_t i = link.held; i-- > 0;) {
    const FlowId id = link.flows[i].flow;
    std::uint32_t fixed = kNoLink;
    for (const Slot& slot : slots_of(flows_[id])) {
      if (slot.link == number) continue;
      links_[slot.link].count(before, kNoLevel, slot.times);
      if (is_fixed(slot.link)) fixed = slot.link;
      touch(slot.link);
    }
    if (fixed != kNoLink) take(fixed, id);
  }
}

void Sharing::fix(std::uint32_t number, double level) {
  Link& link = links_[number];
  queue_.erase(number, queue_places_);
  const double before = link.level;
  link.fixed_in = repair_;
  link.level = level;
  if (level != before) give(number, before, level);
  if (link.free_times > 0 || link.fastest > level * (1 + kAlike)) take_over(number);
  if (link.held == 0) link.level = kNoLevel;
  if (link.level != before) note_change(number);
}

void Sharing::give(std::uint32_t number, double before, double now) {
  const Link& link = links_[number];
  rates_given_ += link.held;
  for (std::uint32_t i = 0; i < link.held; ++i) {
    for (const Slot& slot : slots_of(flows_[link.flows[i].flow])) {
      if (slot.link == number) continue;
      links_[slot.link].count(before, now, slot.times);
      touch(slot.link);
    }
  }
}

void Sharing::take_over(std::uint32_t number) {
  Link& link = links_[number];
  const double limit = link.level * (1 + kAlike);
  link.fastest = 0;
  for (std::uint32_t i = link.held; i < link.flows.size(); ++i) {
    const FlowId id = link.flows[i].flow;
    const double rate = rate_of(flows_[id]);
    if (rate == kNoLevel || is_rival(flows_[id], limit)) {
      take(number, id);  // it trades places with one that has been looked at, or with itself
    } else {
      link.fastest = std::max(link.fastest, rate);
    }
  }
}

void Sharing::take(std::uint32_t number, FlowId id) {
  Flow& flow = flows_[id];
  const std::uint32_t from = flow.holder;
  const double before = rate_of(flow);
  const double now = links_[number].level;
  if (flow.moved_in != repair_) moved_.push_back({.flow = id, .from = from});
  flow.moved_in = repair_;
  flow.holder = number;
  ++rates_given_;
  for (const Slot& slot : slots_of(flow)) {
    Link& link = links_[slot.link];
    if (slot.link == number) {
      link.count(before, 0, slot.times);
      link.held_times += slot.times;
      swap(link, slot.position, link.held++);
    } else if (slot.link == from) {
      link.held_times -= slot.times;
      swap(link, slot.position, --link.held);
      link.count(0, now, slot.times);
    } else {
      link.count(before, now, slot.times);
    }
    touch(slot.link);
  }
}

}  // namespace gradwire::simulator
