#include "simulator/network.h"

#include <algorithm>

#include "core/error.h"

namespace gradwire::simulator {

FluidNetwork::FluidNetwork(const std::vector<double>& capacities)
    : sharing_(capacities),
      clocks_(capacities.size()),
      queue_places_(capacities.size(), KeyedHeap::kNowhere) {}

void FluidNetwork::set_bursts(double bytes, double factor) {
  ensure(started_ == 0, "buckets come before flows");
  if (bytes <= 0) return;
  std::vector<double> capacities;
  for (std::size_t link = 0; link < clocks_.size(); ++link) {
    capacities.push_back(sharing_.capacity(link));
  }
  buckets_.emplace(capacities, bytes, factor);
}

FlowId FluidNetwork::start(std::span<const LinkUse> uses, double bytes) {
  ensure(!uses.empty() && bytes >= 0, "a flow carries bytes over links");
  const FlowId id = sharing_.add(uses);
  if (flows_.size() <= id) {
    flows_.resize(id + 1);
    marks_places_.resize(id + 1, KeyedHeap::kNowhere);
  }
  flows_[id] = {.bytes = bytes, .order = started_++};
  ++active_;
  return id;
}

void FluidNetwork::set_milestone(FlowId id, double bytes) {
  Flow& flow = flows_[id];
  const double before = flow.milestone;
  flow.milestone = std::max(0.0, flow.bytes - bytes);
  const std::uint32_t holder = sharing_.holder(id);
  if (holder == Sharing::kNoLink) return;  // it has no mark yet
  KeyedHeap& marks = clocks_[holder].marks;
  marks.set(id, marks.key(id, marks_places_) + before - flow.milestone, marks_places_);
  schedule(holder);
}

void FluidNetwork::set_capacity(std::size_t link, double capacity) {
  if (buckets_) {
    const auto number = static_cast<std::uint32_t>(link);
    buckets_->set_capacity(number, capacity, now_);
    sharing_.touch(number);
  } else {
    sharing_.set_capacity(link, capacity);
  }
}

void FluidNetwork::count(Clock& clock) const {
  clock.service += clock.rate * (now_ - clock.counted_at);
  clock.counted_at = now_;
}

void FluidNetwork::settle() {
  if (sharing_.is_settled()) return;
  std::vector<std::uint32_t> shaped;
  if (buckets_) {
    // Every sharing that reaches a link decides anew whether it bursts.
    shaped = sharing_.connected();
    for (const std::uint32_t link : shaped) {
      const double capacity = buckets_->pass(link, now_);
      if (capacity != sharing_.capacity(link)) sharing_.set_capacity(link, capacity);
    }
  }
  sharing_.repair();
  for (const Sharing::Move& move : sharing_.moved()) change_hands(move);
  for (const std::uint32_t link : sharing_.changed()) set_pace(link);
  for (const std::uint32_t link : unscheduled_) {
    clocks_[link].is_scheduled = true;
    schedule(link);
  }
  unscheduled_.clear();
  for (const std::uint32_t link : shaped) buckets_->set_usage(link, sharing_.load(link), now_);
}

// However often a link is met, its next event goes into the queue once, when all is known.
FluidNetwork::Clock& FluidNetwork::unschedule(std::uint32_t link) {
  Clock& clock = clocks_[link];
  count(clock);
  if (clock.is_scheduled) unscheduled_.push_back(link);
  clock.is_scheduled = false;
  return clock;
}

void FluidNetwork::change_hands(const Sharing::Move& move) {
  const Flow& flow = flows_[move.flow];
  double left = flow.bytes - flow.milestone;  // to the next event
  if (move.from != Sharing::kNoLink) {
    Clock& from = unschedule(move.from);
    left = std::max(0.0, from.marks.key(move.flow, marks_places_) - from.service);
    from.marks.erase(move.flow, marks_places_);
  }
  Clock& to = unschedule(sharing_.holder(move.flow));
  to.marks.set(move.flow, to.service + left, marks_places_);
}

void FluidNetwork::set_pace(std::uint32_t link) {
  Clock& clock = unschedule(link);
  clock.rate = clock.marks.empty() ? 0 : sharing_.level(link);
}

void FluidNetwork::schedule(std::uint32_t link) {
  Clock& clock = clocks_[link];
  if (clock.marks.empty()) {
    clock.service = 0;  // nobody's mark refers to it; small numbers are exact
    return queue_.erase(link, queue_places_);
  }
  const double left = std::max(0.0, clock.marks.top().key - clock.service);
  if (left > 0 && clock.rate == 0) return queue_.erase(link, queue_places_);
  const double duration = left > 0 ? left / clock.rate : 0;  // even where a link is down
  queue_.set(link, clock.counted_at + duration, queue_places_);
}

double FluidNetwork::next_event() {
  settle();
  double next = queue_.empty() ? kNever : queue_.top().key;
  if (buckets_) next = std::min(next, buckets_->next());
  return std::max(now_, next);
}

std::span<const FluidNetwork::Event> FluidNetwork::advance(double time) {
  ensure(time >= now_, "time does not go back");
  settle();
  now_ = time;
  events_.clear();
  const double due = now_ * (1 + kSimultaneous);
  while (!queue_.empty() && queue_.top().key <= due) {
    due_links_.clear();
    queue_.find_until(due, due_links_);
    if (due_links_.size() == queue_.size()) queue_.clear(queue_places_);
    for (const std::uint32_t link : due_links_) finish(link);
  }
  if (buckets_) {
    while (const auto link = buckets_->end_one(now_, due)) sharing_.touch(*link);
  }
  sort_events();
  due_.clear();
  for (const Event& event : events_) {
    if (event.done) due_.push_back(event.flow);
  }
  sharing_.remove(due_);
  active_ -= due_.size();
  return events_;
}

// What has started together often ends together: then each event is put where its number says.
void FluidNetwork::sort_events() {
  if (std::ranges::is_sorted(events_, {}, &Event::order)) return;
  const auto [least, most] = std::ranges::minmax(events_, {}, &Event::order);
  const std::uint64_t range = most.order - least.order + 1;
  if (range < 2 * events_.size()) {
    constexpr std::uint64_t kNone = UINT64_MAX;
    std::vector<Event> sorted(range, {.flow = 0, .done = false, .order = kNone});
    for (const Event& event : events_) sorted[event.order - least.order] = event;
    std::erase_if(sorted, [](const Event& event) { return event.order == kNone; });
    // Fewer where a flow has come to two things.
    if (sorted.size() == events_.size()) return events_.swap(sorted);
  }
  std::ranges::sort(events_, {}, &Event::order);
}

void FluidNetwork::finish(std::uint32_t link) {
  Clock& clock = clocks_[link];
  count(clock);
  // The first one is due, whatever rounding makes of its mark; or it would be due for ever.
  const double slack = clock.rate * now_ * kSimultaneous;
  const double until = std::max(clock.service, clock.marks.top().key) + slack;
  due_.clear();
  clock.marks.find_until(until, due_);
  const bool all_end =
      due_.size() == clock.marks.size() && std::ranges::all_of(due_, [&](FlowId id) {
        return clock.marks.key(id, marks_places_) + flows_[id].milestone <= until;
      });
  for (const FlowId id : due_) {
    Flow& flow = flows_[id];
    const double end = clock.marks.key(id, marks_places_) + flow.milestone;
    const bool done = end <= until;
    events_.push_back({.flow = id, .done = done, .order = flow.order});
    if (done) {
      if (!all_end) clock.marks.erase(id, marks_places_);
    } else {
      clock.marks.set(id, end, marks_places_);
      flow.milestone = 0;
    }
  }
  if (all_end) clock.marks.clear(marks_places_);
  schedule(link);
}

}  // namespace gradwire::simulator
