#include "topologies/least_time.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/lane_program.h"

namespace gradwire::topologies {
namespace {

/// Elements with the earliest time, `head`, at which they can leave.
struct Load {
  double head = 0;
  double elements = 0;
};

/// The time at which a link has carried its loads, one after the other in the order of their heads:
/// the largest h + (elements with a head of h or more) / speed.
class LinkEnd {
 public:
  /// Adds a load. Requires heads that do not fall.
  void add(const Load& load, double speed) {
    end_ = std::max(end_, load.head) + load.elements / speed;
    latest_head_ = load.head;
  }
  /// The end of the last load, no earlier than its head. Bursts let a link be that much faster, but
  /// nothing arrives before it leaves.
  [[nodiscard]] double at_least(double burst, double speed) const {
    return std::max(end_ - burst / speed, latest_head_);
  }

 private:
  double end_ = 0;
  double latest_head_ = 0;
};

/// A message of an actor, with the earliest time at which it leaves.
struct Departure {
  Peer to;
  Load load;
  std::size_t actor = 0;
};

/// Finds the earliest time at which each send of a lane can leave, step by step.
class LaneHeads {
 public:
  using PortSpeed = std::function<double(Port)>;

  LaneHeads(const Plan& plan, std::size_t lane)
      : program_(plan.lanes[lane], plan.stepping_of(lane)),
        arrivals_(program_.gate_inputs().size()),
        heads_(program_.gate_inputs().size()) {}

  /// Prepares the sends of this step. Requires one call for each step, in order.
  void begin_step(std::size_t step, double burst, const PortSpeed& speed_of) {
    const auto operations = program_.operations();
    sends_.clear();
    first_ = end_;
    while (end_ < operations.size() && operations[end_].step == step) ++end_;
    for (std::size_t i = first_; i < end_; ++i) {
      if (operations[i].kind != Operation::Kind::send) continue;
      const std::size_t gate = program_.gate_of(i);
      open(gate, burst, speed_of);
      const auto elements = static_cast<double>(operations[i].extent.count);
      sends_.push_back({.to = program_.channels()[operations[i].channel],
                        .load = {.head = heads_[gate], .elements = elements}});
    }
    std::ranges::stable_sort(sends_, {}, &Departure::to);
  }

  /// The sends of the step by their peers, in order for each peer.
  [[nodiscard]] std::span<const Departure> sends() const { return sends_; }
  /// The time at which send `number` of the step's sends to a peer leaves. A channel carries
  /// messages in order, so its number tells which receive it meets; extents do not where one rank
  /// stands for all.
  [[nodiscard]] double head_of(const Peer& to, std::size_t number) const {
    const auto all = std::ranges::equal_range(sends_, to, {}, &Departure::to);
    ensure(number < all.size(), "what a rank receives, its peer sends");
    return all[static_cast<std::ptrdiff_t>(number)].load.head;
  }

  /// Takes the heads of the step's receives: head_of(peer, its number from that peer).
  template <class HeadOf>
  void receive(const HeadOf& head_of) {
    std::map<std::uint32_t, std::size_t> numbers;  // by channel
    for (std::size_t i = first_; i < end_; ++i) {
      const Operation& operation = program_.operations()[i];
      if (operation.kind != Operation::Kind::receive) continue;
      const std::size_t number = numbers[operation.channel]++;
      const std::span<const Wakeup> wakeups = program_.wakeups(i);
      if (wakeups.empty()) continue;
      const Peer& peer = program_.channels()[operation.channel];
      const double head = head_of(peer, number);
      for (const Wakeup& wakeup : wakeups) {
        if (!is_of_sends(wakeup.gate)) continue;
        arrivals_[wakeup.gate].emplace_back(
            peer.via, Load{.head = head, .elements = static_cast<double>(wakeup.needed)});
      }
    }
  }

 private:
  [[nodiscard]] bool is_of_sends(std::size_t gate) const {
    const std::size_t any = program_.behind(gate).front();
    return program_.operations()[any].kind == Operation::Kind::send;
  }

  /// Computes the time at which a gate's inputs have arrived, each port by itself.
  void open(std::size_t gate, double burst, const PortSpeed& speed_of) {
    auto& arrivals = arrivals_[gate];
    std::ranges::sort(arrivals, {}, [](const auto& arrival) { return arrival.second.head; });
    std::map<Port, LinkEnd> ports;
    for (const auto& [port, load] : arrivals) ports[port].add(load, speed_of(port));
    for (const auto& [port, end] : ports) {
      heads_[gate] = std::max(heads_[gate], end.at_least(burst, speed_of(port)));
    }
    arrivals = {};  // a gate opens once; what is behind it shares its head
    const std::optional<std::size_t> next = program_.next_gate(gate);
    if (next) heads_[*next] = std::max(heads_[*next], heads_[gate]);
  }

  LaneProgram program_;
  std::vector<std::vector<std::pair<Port, Load>>> arrivals_;  ///< by gate, until it opens
  std::vector<double> heads_;                                 ///< by gate
  std::vector<Departure> sends_;                              ///< sends of the step under way
  std::size_t first_ = 0;                                     ///< first operation of that step
  std::size_t end_ = 0;
};

/// All sends of all actors with their heads. A send waits only for earlier steps, so going through
/// the steps of all actors in order finds every head.
class Heads {
 public:
  Heads(std::span<const Plan> plans, const Carriage& carriage, double burst)
      : carriage_(carriage), burst_(burst), lanes_(plans.size()) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      for (std::size_t lane = 0; lane < plans[i].lanes.size(); ++lane) {
        lanes_[i].emplace_back(plans[i], lane);
        steps_ = std::max(steps_, plans[i].lanes[lane].size());
      }
    }
  }

  [[nodiscard]] std::vector<Departure> find() {
    for (std::size_t step = 0; step < steps_; ++step) {
      for (std::size_t actor = 0; actor < lanes_.size(); ++actor) send(actor, step);
      for (std::size_t actor = 0; actor < lanes_.size(); ++actor) receive(actor);
    }
    return std::move(departures_);
  }

 private:
  void send(std::size_t actor, std::size_t step) {
    const auto speed_of = [&](Port port) { return carriage_.port_speed(actor, port); };
    for (LaneHeads& lane : lanes_[actor]) {
      lane.begin_step(step, burst_, speed_of);
      for (const Departure& departure : lane.sends()) {
        departures_.push_back(departure);
        departures_.back().actor = actor;
      }
    }
  }

  void receive(std::size_t actor) {
    for (std::size_t lane = 0; lane < lanes_[actor].size(); ++lane) {
      lanes_[actor][lane].receive([&](const Peer& from, std::size_t number) {
        const ChannelEnd end = carriage_.opposite(actor, from);
        return lanes_.at(end.actor).at(lane).head_of(end.as, number);
      });
    }
  }

  const Carriage& carriage_;
  double burst_;
  std::vector<std::vector<LaneHeads>> lanes_;  ///< by actor
  std::size_t steps_ = 0;
  std::vector<Departure> departures_;
};

}  // namespace

Carriage carriage_of(const Topology& topology) {
  return {
      .speeds = link_speeds(topology),
      .links_of = [&topology](std::size_t rank,
                              const Peer& to) { return planned_links(topology, Rank(rank), to); },
      .opposite =
          [](std::size_t rank, const Peer& peer) {
            return ChannelEnd{.actor = peer.rank.index(),
                              .as = {.rank = Rank(rank), .via = peer.at, .at = peer.via}};
          },
      .port_speed =
          [&topology](std::size_t rank, Port port) {
            return topology.speed_at({topology.host(Rank(rank)), port});
          }};
}

double least_time(std::span<const Plan> plans, const Carriage& carriage, double burst) {
  std::vector<Departure> departures = Heads(plans, carriage, burst).find();
  std::ranges::sort(departures, {}, [](const Departure& one) { return one.load.head; });
  std::vector<LinkEnd> links(carriage.speeds.size());
  for (const Departure& departure : departures) {
    Load load = departure.load;
    for (const LinkUse& use : carriage.links_of(departure.actor, departure.to)) {
      load.elements = use.times * departure.load.elements;
      links[use.link].add(load, carriage.speeds[use.link]);
    }
  }
  double least = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    least = std::max(least, links[i].at_least(burst, carriage.speeds[i]));
  }
  return least;
}

double least_time(const Topology& topology, std::span<const Plan> plans, double burst) {
  return least_time(plans, carriage_of(topology), burst);
}

}  // namespace gradwire::topologies
