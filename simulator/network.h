#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <vector>

#include "topologies/load.h"

/// The links of a simulation, and the flows that share them in virtual time.
namespace gradwire::simulator {

/// A directed link that a flow crosses. Where a flow stands for several alike (fabric.h), `times`
/// says how many of them cross the link.
using topologies::LinkUse;

using FlowId = std::uint32_t;
inline constexpr double kNever = std::numeric_limits<double>::infinity();
/// Times that differ by no more than this share of their size count as the same.
inline constexpr double kSimultaneous = 1e-12;

/// Max-min fair sharing: no flow's rate can rise unless that of a flow no faster falls. Rates
/// change when a flow starts or ends, and then only for flows that are connected with it by shared
/// links; nothing else is computed anew.
///
/// Times are seconds, sizes bytes, capacities bytes per second. Events that lie within a relative
/// 1e-12 of each other count as simultaneous, so that what is equal stays equal in floating point.
/// Deterministic: the same calls give the same bits.
class FluidNetwork {
 public:
  struct Event {
    FlowId flow;
    bool done;  ///< else it has come to its milestone
  };

  /// `capacities` by directed link; 0 for one that is down.
  explicit FluidNetwork(std::vector<double> capacities);

  /// Gives every link a token bucket, as a shaper has one, full now: it passes up to `bytes` at
  /// `factor` times its capacity, and refills with what the capacity leaves unused. Before the
  /// first flow. Requires factor > 1.
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
  /// Moves the time on to `time`, which must lie between now and next_event(). Returns what happens
  /// there, in a fixed order; valid until the next call.
  std::span<const Event> advance(double time);

  /// Flows that have not ended.
  [[nodiscard]] std::size_t active() const { return active_; }
  /// How often some flow was given a rate so far: what a simulation spends its time on.
  [[nodiscard]] std::uint64_t rates_given() const { return rates_given_; }

 private:
  struct Flow {
    double bytes = 0;      ///< that it carries from its start to its end
    double left = 0;       ///< bytes still to carry at looked_at
    double rate = 0;       ///< bytes per second since looked_at
    double looked_at = 0;  ///< seconds
    double milestone = 0;  ///< bytes left at the milestone; 0: none
    std::uint32_t first_use = 0;
    std::uint32_t uses = 0;
    std::uint32_t component = 0;  ///< component + 1, or 0
    std::uint32_t visited = 0;    ///< the last sharing that met it
    bool is_fixed = false;        ///< has its rate
    bool is_active = false;
  };
  struct Slot {  ///< a flow's place among those of a link
    std::uint32_t link;
    std::uint32_t times;
    std::uint32_t position;
  };
  struct Crossing {
    FlowId flow;
    std::uint32_t slot;
  };
  struct Link {
    double capacity = 0;
    double left = 0;           ///< while sharing: bytes per second that no flow has yet
    std::uint64_t times = 0;   ///< how often flows cross it, all together
    std::uint64_t wanted = 0;  ///< while sharing: how often flows without a rate cross it
    std::uint32_t visited = 0;
    bool is_bursting = false;  ///< passes more than its capacity
    double tokens = 0;         ///< bytes in the bucket at counted_at
    double counted_at = 0;     ///< seconds
    double usage = 0;          ///< bytes per second since counted_at
    std::vector<Crossing> flows;

    /// While sharing: what it has for each crossing of a flow without a rate. Requires one.
    [[nodiscard]] double share() const { return std::max(0.0, left) / static_cast<double>(wanted); }
  };
  /// Flows that are connected by shared links, in the order in which they are reported.
  struct Component {
    std::vector<FlowId> flows;
    std::vector<std::uint32_t> links;  ///< that they cross, where links have buckets
    std::uint32_t version = 0;         ///< rises when it ends; older entries of the queue are void
    bool is_dirty = false;
  };
  struct Entry {
    double time;
    std::uint32_t component;
    std::uint32_t version;
    friend bool operator>(const Entry& a, const Entry& b) {
      return a.time != b.time ? a.time > b.time : a.component > b.component;
    }
  };

  [[nodiscard]] std::span<Slot> slots_of(const Flow& flow);
  [[nodiscard]] std::uint32_t take_slots(std::size_t count);
  void look_at(Flow& flow) const;
  void count_tokens(Link& link) const;
  /// What the link has to give from now on.
  [[nodiscard]] double capacity_of(Link& link) const;
  /// Ends the bursts of the component's links that have no tokens left; whether there was one.
  bool end_bursts(const Component& component);
  void remove(FlowId flow);
  void make_dirty(std::uint32_t component);
  /// Gives rates to what has started, and to all that is connected with a change.
  void settle();
  /// Fills `component` with all flows that shared links connect with `seed`.
  void collect(FlowId seed, Component& component);
  /// Ends a component; its flows have none then.
  void dissolve(std::uint32_t component);
  /// Gives every flow of a component its max-min fair rate.
  void share(const Component& component);
  void give(FlowId flow, double rate);
  /// Puts the component's next event into the queue.
  void schedule(std::uint32_t component);
  /// Reports and removes the flows of a component that have come to something.
  void finish(std::uint32_t component);

  double now_ = 0;
  double burst_ = 0;         ///< bytes; 0: no buckets
  double burst_factor_ = 1;  ///< times the capacity
  std::size_t active_ = 0;
  std::uint64_t rates_given_ = 0;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<FlowId> free_flows_;
  std::vector<Slot> slots_;
  std::vector<std::vector<std::uint32_t>> free_slots_;  ///< by count
  std::vector<Component> components_;
  std::vector<std::uint32_t> free_components_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::vector<FlowId> started_;                           ///< without a component yet
  std::vector<std::uint32_t> dirty_;                      ///< components
  std::vector<std::uint32_t> unscheduled_;                ///< components with a new milestone
  std::vector<std::uint32_t> touched_links_;              ///< of the component being shared
  std::vector<std::pair<double, std::uint32_t>> shares_;  ///< heap: what a link gives each, link
  std::vector<Event> events_;
  std::uint32_t sharing_ = 0;  ///< number of the sharing
};

}  // namespace gradwire::simulator
