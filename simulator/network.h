#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "simulator/buckets.h"
#include "simulator/keyed_heap.h"
#include "simulator/sharing.h"

/// The links of a simulation, and the flows that share them in virtual time.
namespace gradwire::simulator {

inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// The largest relative difference between times that count as the same.
inline constexpr double kSimultaneous = 1e-12;

/// Flows that share links max-min fair (sharing.h), in time.
///
/// Every link has a clock: the bytes that each of the flows which it holds has carried. All of them
/// are equally fast, so a new rate moves the clock's pace and nothing else: a flow's next event is
/// a mark on the clock, which stays where it is until another link holds the flow.
///
/// Times are seconds, sizes bytes, capacities bytes per second. Events within a relative 1e-12 of
/// each other count as simultaneous, so that equal times stay equal in floating point.
/// Deterministic: the same calls give the same bits.
class FluidNetwork {
 public:
  struct Event {
    FlowId flow;
    bool done;            ///< otherwise it has reached its milestone
    std::uint64_t order;  ///< number of flows that have started before
  };

  /// A network with these capacities by directed link; 0 for a link that is down.
  explicit FluidNetwork(const std::vector<double>& capacities);

  /// Gives every link a token bucket, like a shaper's, full now: it passes up to `bytes` at
  /// `factor` times its capacity, and refills with the unused part of the capacity. Call it before
  /// the first flow. Requires factor > 1.
  void set_bursts(double bytes, double factor);

  [[nodiscard]] double now() const { return now_; }

  /// Starts a flow now. Its number is free again once its end has been reported. Requires at least
  /// one use, each link once, and bytes >= 0.
  FlowId start(std::span<const LinkUse> uses, double bytes);
  /// Reports the flow once before its end, when it has carried `bytes` of its bytes. Requires fewer
  /// than all of them.
  void set_milestone(FlowId flow, double bytes);
  /// Changes a link's capacity from now on.
  void set_capacity(std::size_t link, double capacity);

  /// The time of the next event if nothing is started or changed before; kNever without one.
  [[nodiscard]] double next_event();
  /// Advances the time to `time`, which must lie between now and next_event(). Returns the events
  /// of that time, in the order in which the flows started; valid until the next call.
  std::span<const Event> advance(double time);

  /// The number of flows that have not ended.
  [[nodiscard]] std::size_t active() const { return active_; }
  /// The rate of a flow in bytes per second. Requires that nothing has been started or changed
  /// since next_event().
  [[nodiscard]] double rate(FlowId flow) const { return sharing_.rate(flow); }
  /// The capacity that the link can give, with its burst. Requires the same as rate().
  [[nodiscard]] double capacity(std::size_t link) const { return sharing_.capacity(link); }
  /// The number of times that some flow was given a rate so far. A simulation spends its time on
  /// these.
  [[nodiscard]] std::uint64_t rates_given() const { return sharing_.rates_given(); }

 private:
  struct Flow {
    double bytes = 0;         ///< all bytes, from its start to its end
    double milestone = 0;     ///< bytes left at the milestone; 0: none
    std::uint64_t order = 0;  ///< number of flows that have started before
  };
  struct Clock {
    double service = 0;  ///< bytes, at counted_at
    double counted_at = 0;
    double rate = 0;           ///< rate of each flow that the link holds, since counted_at
    KeyedHeap marks;           ///< flows, by the service at their next event
    bool is_scheduled = true;  ///< otherwise it is in unscheduled_
  };

  /// Advances the clock to now.
  void count(Clock& clock) const;
  /// Gives rates to the flows that have started, and to all that a change has made faster or
  /// slower.
  void settle();
  void change_hands(const Sharing::Move& move);
  /// Advances the link's clock to now, and notes that its next event is to be found anew.
  Clock& unschedule(std::uint32_t link);
  /// Sets the clock's pace to the link's level.
  void set_pace(std::uint32_t link);
  /// Puts the link's next event into the queue.
  void schedule(std::uint32_t link);
  /// Reports the flows of a link that have ended or reached a milestone.
  void finish(std::uint32_t link);
  /// Sorts the reported events into the order in which the flows started.
  void sort_events();

  double now_ = 0;
  std::size_t active_ = 0;
  std::uint64_t started_ = 0;
  Sharing sharing_;
  std::optional<TokenBuckets> buckets_;
  std::vector<Clock> clocks_;  ///< by link
  std::vector<Flow> flows_;
  KeyedHeap::Places marks_places_;  ///< by flow
  KeyedHeap queue_;                 ///< links, by the time of their next event
  KeyedHeap::Places queue_places_;
  std::vector<std::uint32_t> unscheduled_;  ///< links, while rates are given
  std::vector<std::uint32_t> due_links_;    ///< links with an event at this time
  std::vector<FlowId> due_;                 ///< flows of one link, or all that have ended
  std::vector<Event> events_;
};

}  // namespace gradwire::simulator
