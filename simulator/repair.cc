#include <algorithm>

#include "simulator/sharing.h"

/// The repair of levels, from the lowest upwards, and the reasons why it is exact.
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
///     the other links of the flow are looked at.
///
/// The estimate may be wrong, but only above the fixed levels: its assumptions about other links
/// change at their levels, old or new, and when one of those below the estimate changes, this link
/// is estimated again. Going by the new level alone would be wrong: a link that rises from 1 to 3
/// frees flows that press on a link of level 2.
///
/// This ends. A link lets go once at most, because it has no level then, and is fixed once. Flows
/// of links that are fixed do not move, and a flow that gets free at the very level of a link that
/// is fixed belongs to that link.
///
/// Three things make it fast:
///
///   - A link that would let go, wait and be fixed next is fixed at once (`rise`). It is next where
///     no other link waits below its new level, and where with this rate for its flows none of
///     their other links is full below it. That is seen when they have the rate; where it is not
///     so, the link lets go after all.
///   - A link that is fixed leaves the other links of its flows no less than they took for granted:
///     their own levels of before and to come are not lower. So their estimates only rise. What
///     waits may wait where it is until it is its turn (`relax`), and a link that was not full,
///     and does not wait, need not be looked at.
///   - What changes at other links is the same for all flows of a link, so it goes through the
///     links that these flows reach, not through the flows (`Reach`). An entry that takes back
///     another one may lead to a link that has no flow in common any more. Such a link may be final
///     below, and stays so (`is_final`).
namespace gradwire::simulator {
namespace {

bool are_alike(double a, double b) {
  return a == b || (a < Sharing::kNoLevel && b < Sharing::kNoLevel &&
                    std::max(a, b) <= std::min(a, b) * (1 + Sharing::kAlike));
}

}  // namespace

bool Sharing::is_final(std::uint32_t number) const {
  return is_fixed(number) || links_[number].level * (1 + kAlike) < level_;
}

bool Sharing::is_just_fixed(std::uint32_t number) const {
  return is_fixed(number) && links_[number].level * (1 + kAlike) >= level_;
}

void Sharing::touch(std::uint32_t number) {
  Link& link = links_[number];
  if (link.is_touched || is_final(number)) return;
  link.is_touched = true;
  touched_.push_back(number);
}

void Sharing::repair() {
  changed_.clear();
  moved_.clear();
  for (requeue(); !queue_.empty(); requeue()) {
    if (!is_first_due()) continue;
    const std::uint32_t number = queue_.top().number;
    queue_.erase(number, queue_places_);
    look_at(number);
  }
  level_ = 0;
  ++repair_;
}

bool Sharing::is_first_due() {
  const auto [key, number] = queue_.top();
  Link& link = links_[number];
  if (link.is_stale) estimate(link);
  if (!link.is_exact) solve(link);
  const double next = std::min(link.level, link.estimate);
  if (next == kNoLevel) {
    queue_.erase(number, queue_places_);
  } else if (next > key) {
    queue_.set(number, next, queue_places_);
  }
  return next <= key;
}

void Sharing::look_at(std::uint32_t number) {
  const Link& link = links_[number];
  const double next = std::min(link.level, link.estimate);
  // Where only rounding tells levels apart the level stays.
  if (next > level_ * (1 + kAlike)) level_ = next;
  if (are_alike(link.estimate, link.level)) {
    fix(number, link.level);
  } else if (link.estimate > link.level) {
    rise(number);
  } else {
    fix(number, level_);
  }
}

// Keys that rise stay as they are in the queue: most links change again before it is their turn,
// and the others are put in their place then.
void Sharing::requeue() {
  for (const std::uint32_t number : touched_) {
    Link& link = links_[number];
    link.is_touched = false;
    if (is_fixed(number)) continue;
    estimate(link);
    const double key = std::min(link.level, link.estimate);
    const bool waits = queue_places_[number] != KeyedHeap::kNowhere;
    if (key < (waits ? queue_.key(number, queue_places_) : kNoLevel)) {
      queue_.set(number, key, queue_places_);
    }
  }
  touched_.clear();
}

void Sharing::relax(std::uint32_t number) {
  Link& link = links_[number];
  if (is_final(number)) return;
  link.is_stale = true;
  // Without a level it waits already, or is not full and does not get so.
  if (link.level < kNoLevel && queue_places_[number] == KeyedHeap::kNowhere) {
    queue_.set(number, link.level, queue_places_);
  }
}

void Sharing::note_change(std::uint32_t number) {
  if (links_[number].changed_in == repair_) return;
  links_[number].changed_in = repair_;
  changed_.push_back(number);
}

void Sharing::set_level(Link& link, double level) const {
  link.level = level;
  link.rate = level == kNoLevel ? 0 : quantum_.whole(level);
}

void Sharing::rise(std::uint32_t number) {
  Link& link = links_[number];
  const double now = link.estimate;
  if (link.held == 0) return let_go(number);
  while (!queue_.empty() && queue_.top().key * (1 + kAlike) < now) {
    if (is_first_due()) return let_go(number);
  }
  const WholeRate before = link.rate;
  set_level(link, now);
  rates_given_ += link.held;
  const WholeRate more = link.rate - before;
  bool fits = true;
  for (const auto& [other_number, times] : reach(number)) {
    Link& other = links_[other_number];
    other.others += more * times;
    other.fastest = std::max(other.fastest, now);
    if (other.own() == 0 && other.others <= other.limit) continue;
    fits &= !is_just_fixed(other_number);
    touch(other_number);
  }
  fits = fits && std::ranges::all_of(
                     touched_, [&](std::uint32_t other) { return can_give(links_[other], now); });
  if (!fits) return let_go(number);
  level_ = now;
  fix(number, now);
  note_change(number);
}

void Sharing::let_go(std::uint32_t number) {
  Link& link = links_[number];
  bool is_one_fixed = false;
  for (const auto& [other_number, times] : reach(number)) {
    Link& other = links_[other_number];
    other.others -= link.rate * times;
    other.free_times += static_cast<std::uint32_t>(times);  // wraps around, and back
    is_one_fixed |= is_just_fixed(other_number);
    touch(other_number);
  }
  set_level(link, kNoLevel);
  note_change(number);
  touch(number);
  if (is_one_fixed) give_away(number);
}

void Sharing::give_away(std::uint32_t number) {
  // Backwards, because a flow may leave the link at its turn.
  for (std::uint32_t i = links_[number].held; i-- > 0;) {
    const FlowId id = links_[number].flows[i].flow;
    const auto slots = slots_of(flows_[id]);
    const auto fixed =
        std::ranges::find_if(slots, [&](const Slot& slot) { return is_fixed(slot.link); });
    if (fixed != slots.end()) take(fixed->link, id);
  }
}

void Sharing::fix(std::uint32_t number, double level) {
  Link& link = links_[number];
  const double before = link.level;
  link.fixed_in = repair_;
  if (level != before) give(number, level);
  if (link.free_times > 0 || link.fastest > level * (1 + kAlike)) take_over(number);
  if (link.held == 0) {  // only rounding made it look full
    set_level(link, kNoLevel);
    link.fixed_in = 0;
  }
  if (link.level != before) note_change(number);
}

void Sharing::give(std::uint32_t number, double level) {
  Link& link = links_[number];
  const bool were_free = link.level == kNoLevel;
  const WholeRate before = link.rate;
  set_level(link, level);
  if (link.held == 0) return;
  rates_given_ += link.held;
  const WholeRate more = link.rate - before;
  for (const auto& [other_number, times] : reach(number)) {
    Link& other = links_[other_number];
    other.others += more * times;
    if (were_free) {
      other.free_times -= static_cast<std::uint32_t>(times);
      other.fastest = std::max(other.fastest, level);
    }
    relax(other_number);
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
  const bool was_free = rate_of(flow) == kNoLevel;
  const WholeRate before = was_free ? 0 : links_[from].rate;
  const Link& holder = links_[number];
  if (flow.moved_in != repair_) moved_.push_back({.flow = id, .from = from});
  flow.moved_in = repair_;
  flow.holder = number;
  ++rates_given_;
  for (const Slot& slot : slots_of(flow)) {
    Link& link = links_[slot.link];
    if (slot.link == from) {
      link.held_times -= slot.times;
      swap(link, slot.position, --link.held);
    } else if (was_free) {
      link.free_times -= slot.times;
    } else {
      link.others -= before * slot.times;
    }
    if (slot.link == number) {
      link.held_times += slot.times;
      swap(link, slot.position, link.held++);
    } else {
      link.others += holder.rate * slot.times;
      link.fastest = std::max(link.fastest, holder.level);
      relax(slot.link);
    }
  }
  extend(number, flow, 1);
  if (from != kNoLink) extend(from, flow, -1);
}

}  // namespace gradwire::simulator
