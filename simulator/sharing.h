#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "simulator/keyed_heap.h"
#include "simulator/whole_rate.h"
#include "topologies/load.h"

namespace gradwire::simulator {

/// A directed link that a flow crosses. If a flow stands for several alike flows (fabric.h),
/// `times` is the number of them that cross the link.
using topologies::LinkUse;

using FlowId = std::uint32_t;

/// The rates of flows that share links max-min fair: no flow's rate can rise unless that of a flow
/// no faster falls. Knows no time.
///
/// A full link holds the flows whose rate no other link limits more. Its *level* is the rate of
/// these flows; a link that is not full holds none, and has no level. A flow's rate is the level of
/// the link that holds it, the lowest on its way.
///
/// Flows come and go and capacities change at any time; repair() then makes levels right again. It
/// looks only at links whose level may have changed, from the lowest level upwards (repair.cc says
/// why that is exact). Rates are bytes per second.
class Sharing {
 public:
  static constexpr double kNoLevel = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t kNoLink = UINT32_MAX;
  /// The relative difference below which levels are the same, so that flows which ought to be
  /// equally fast are so to the bit.
  static constexpr double kAlike = 1e-13;

  /// A flow that another link holds than before.
  struct Move {
    FlowId flow;
    std::uint32_t from;  ///< kNoLink for a new flow
  };

  /// A network with these capacities by directed link; 0 for a link that is down.
  explicit Sharing(std::span<const double> capacities);

  /// Adds a flow, which has a rate after the next repair(). Requires at least one use, and each
  /// link once.
  FlowId add(std::span<const LinkUse> uses);
  /// Removes flows that have a rate. Their numbers are free for others.
  void remove(std::span<const FlowId> flows);
  void set_capacity(std::size_t link, double capacity);
  /// Announces that the link's capacity may be about to change.
  void touch(std::uint32_t link);
  /// The links that flows connect with those touched, added, removed or changed since the last
  /// repair.
  [[nodiscard]] std::vector<std::uint32_t> connected();

  /// Whether nothing has happened since the last repair.
  [[nodiscard]] bool is_settled() const { return touched_.empty(); }
  /// Gives every flow its rate.
  void repair();
  /// Links whose level the last repair changed, each once.
  [[nodiscard]] std::span<const std::uint32_t> changed() const { return changed_; }
  /// Flows that changed hands in the last repair, each once.
  [[nodiscard]] std::span<const Move> moved() const { return moved_; }

  [[nodiscard]] double capacity(std::size_t link) const { return links_[link].capacity; }
  [[nodiscard]] double level(std::size_t link) const { return links_[link].level; }
  /// The bytes per second that the flows of a link use together.
  [[nodiscard]] double load(std::size_t link) const;
  /// The link that holds the flow; kNoLink before its first repair.
  [[nodiscard]] std::uint32_t holder(FlowId flow) const { return flows_[flow].holder; }
  [[nodiscard]] double rate(FlowId flow) const { return rate_of(flows_[flow]); }
  /// The number of times that some flow was given a rate so far. A simulation spends its time on
  /// these.
  [[nodiscard]] std::uint64_t rates_given() const { return rates_given_; }

 private:
  struct Flow {
    std::uint32_t first_slot = 0;
    std::uint32_t slots = 0;
    std::uint32_t holder = kNoLink;
    std::uint32_t moved_in = 0;  ///< the last repair that has noted a move
  };
  static constexpr std::uint32_t kGone = kNoLink - 1;  ///< holder of a flow that is being removed
  struct Slot {                                        ///< place of a flow among those of a link
    std::uint32_t link;
    std::uint32_t times;
    std::uint32_t position;
  };
  struct Crossing {
    FlowId flow;
    std::uint32_t slot;
  };
  /// The other links that the flows of a link cross, so that a new level goes through a list that
  /// is short and contiguous, and not through all its flows. A link may be listed several times,
  /// and a removal is an entry of its own.
  struct Reach {
    struct Entry {
      std::uint32_t link;
      std::int32_t times;
    };
    std::vector<Entry> entries;
    /// Number of entries from which on they are made anew; 0: there are none.
    std::size_t most = 0;
  };
  struct alignas(64) Link {  // what new rates of other links read and write fills a cache line
    WholeRate others = 0;    ///< rates of the flows that other links hold, with their times
    WholeRate limit = 0;     ///< beyond it the others need more than there is
    double level = kNoLevel;
    double fastest = 0;            ///< upper bound on the rates of the others
    std::uint32_t held_times = 0;  ///< times of the flows that it holds
    /// Times of flows that no link holds, or another one that has let go.
    std::uint32_t free_times = 0;
    std::uint32_t fixed_in = 0;  ///< the last repair that has fixed its level
    bool is_touched = false;
    bool is_stale = false;  ///< the estimate is outdated, and may be too low
    bool is_exact = false;  ///< otherwise the estimate may be too low, because there are rivals

    WholeRate rate = 0;            ///< the level; 0 without one
    std::vector<Crossing> flows;   ///< flows that it holds come first
    std::uint32_t times = 0;       ///< times of all flows
    std::uint32_t held = 0;        ///< number of flows that it holds
    std::uint32_t gone = 0;        ///< number of flows that are being removed
    std::uint32_t changed_in = 0;  ///< the last repair that has changed its level
    double estimate = kNoLevel;    ///< estimate of the next level
    double capacity = 0;
    Reach reach;

    /// The times of the flows that get the capacity left by the others.
    [[nodiscard]] std::uint32_t own() const { return held_times + free_times; }
  };
  struct Rival {  ///< flow that another link holds above the level that this one can give
    WholeRate whole;
    double rate;  ///< `whole` as a double
    std::uint32_t times;
  };

  [[nodiscard]] std::span<Slot> slots_of(const Flow& flow) {
    return std::span(slots_).subspan(flow.first_slot, flow.slots);
  }
  [[nodiscard]] std::uint32_t take_slots(std::size_t count);
  /// The rate of a flow; kNoLevel if no link holds it, or one that has let go.
  [[nodiscard]] double rate_of(const Flow& flow) const {
    return flow.holder == kNoLink ? kNoLevel : links_[flow.holder].level;
  }
  [[nodiscard]] bool is_fixed(std::uint32_t link) const { return links_[link].fixed_in == repair_; }
  /// Trades the places of two flows of a link.
  void swap(Link& link, std::uint32_t a, std::uint32_t b);

  void set_capacity_of(Link& link, double capacity) const;

  /// Takes back a flow's rate, and counts the flow as gone at its links.
  void give_back(FlowId flow);
  /// Removes the gone flows from a link in one pass, if a great part of its flows is gone.
  void sweep(Link& link);
  /// Removes a gone flow from a link.
  void take_out(Link& link, std::uint32_t position);

  // How far a link's flows reach (reach.cc).
  /// The link's reach, made anew if it does not exist.
  std::span<const Reach::Entry> reach(std::uint32_t link);
  /// Counts a flow that the link holds more (`by` 1) or less (-1).
  void extend(std::uint32_t link, const Flow& flow, std::int32_t by);

  // The repair (repair.cc).
  void note_change(std::uint32_t link);
  void set_level(Link& link, double level) const;
  /// Whether the link is fixed, or lies below all that can still change.
  [[nodiscard]] bool is_final(std::uint32_t link) const;
  /// Whether the link is fixed at the present level.
  [[nodiscard]] bool is_just_fixed(std::uint32_t link) const;
  /// Estimates the levels of touched links, and queues these.
  void requeue();
  /// Notes that the link's estimate may be too low, because others have got less.
  void relax(std::uint32_t link);
  /// Makes the estimate of the first waiting link exact. Returns whether it is its turn then;
  /// otherwise it waits for a higher level, or no more.
  bool is_first_due();
  /// Lets the link whose turn it is rise, fixes it, or lets it go.
  void look_at(std::uint32_t link);
  void estimate(Link& link) const;
  /// Makes the estimate exact.
  void solve(Link& link);
  void gather_rivals(Link& link);
  [[nodiscard]] bool is_rival(const Flow& flow, double level) const;
  /// Whether the link need not limit any flow below the level.
  [[nodiscard]] bool can_give(Link& link, double level);
  /// Fixes the link at its estimate, above its level, if no other link is in the way. Otherwise
  /// lets it go.
  void rise(std::uint32_t link);
  void let_go(std::uint32_t link);
  /// Gives the flows of a link that lets go to those of their links that are fixed.
  void give_away(std::uint32_t link);
  void fix(std::uint32_t link, double level);
  /// Gives the flows that the link holds less than they have had.
  void give(std::uint32_t link, double level);
  /// Takes over the flows for which the link has least now.
  void take_over(std::uint32_t link);
  void take(std::uint32_t link, FlowId flow);

  Quantum quantum_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<FlowId> free_flows_;
  std::vector<Slot> slots_;
  std::vector<std::vector<std::uint32_t>> free_slots_;  ///< free slots by count
  std::vector<std::uint32_t> losing_;                   ///< links, while flows are taken away
  std::vector<std::uint32_t> touched_;                  ///< links
  std::vector<std::uint32_t> changed_;
  std::vector<Move> moved_;
  KeyedHeap queue_;  ///< links to be looked at, by level
  KeyedHeap::Places queue_places_;
  std::vector<Rival> rivals_;
  std::vector<std::int32_t> reached_;  ///< by link, while a reach is being made; 0 otherwise
  double level_ = 0;                   ///< level up to which all is final in this repair
  std::uint32_t repair_ = 1;
  std::uint64_t rates_given_ = 0;
};

}  // namespace gradwire::simulator
