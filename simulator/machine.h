#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/lane_program.h"
#include "simulator/fabric.h"
#include "simulator/lanes.h"
#include "simulator/network.h"
#include "simulator/queue_network.h"
#include "simulator/routes.h"
#include "simulator/simulation.h"

namespace gradwire::simulator {

/// A message that has begun to move and is not yet received.
struct Message {
  std::uint32_t collective = 0;
  std::uint32_t channel = 0;  ///< sending end
  Pair pair;
  double begun = 0;
  std::size_t milestone = 0;  ///< elements at the last milestone
  std::uint32_t hops = 0;
  bool has_left = false;  ///< the sender has sent all of it; for flows only
};

/// An event at a known time.
struct Timer {
  enum class What : std::uint8_t {
    alarm,
    started,
    arrived,
    arrived_in_part,
    added,
    outage,
    repair
  };

  double time = 0;
  std::uint64_t number = 0;  ///< order of setting
  std::size_t detail = 0;    ///< gate, elements, or the alarm's detail
  What what{};
  std::uint32_t subject = 0;     ///< lane, message, outage, or the alarm's subject
  std::uint32_t collective = 0;  ///< collective of the lane

  friend bool operator>(const Timer& a, const Timer& b) {
    return a.time != b.time ? a.time > b.time : a.number > b.number;
  }
};

/// A flow that has reached a milestone.
struct Passed {
  FlowId flow = 0;
  std::uint32_t message = 0;
};

/// The contents of an alarm, for its setter.
struct Alarm {
  std::uint32_t subject = 0;
  std::size_t detail = 0;
};

/// The driver of a machine: it decides what runs, and when.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  /// Called when an actor's part in a collective is over, at the present time. May set alarms, and
  /// nothing else.
  virtual void on_end(std::uint32_t collective, std::size_t actor) = 0;
  /// Called at the time of an alarm. May add collectives, begin actors' parts and set alarms.
  virtual void on_alarm(const Alarm& alarm) = 0;
};

/// Links that carry the messages of any number of collectives, in virtual time. A collective is
/// Plans of actors on a fabric, with channels of its own; the links are shared by all.
///
/// Every event happens in one step(): first the network's events, then the timers of the same
/// moment, in the order in which they were set. Immediate consequences of an event happen before
/// the next event is processed, so the order of events, and with it every bit of the result,
/// depends on the arguments alone.
class Machine {
 public:
  /// A machine with links of these speeds, times the model's rate. `options` decides what is
  /// recorded, and which outages there are. All arguments must outlive it.
  Machine(const std::vector<double>& speeds, const NetworkModel& model,
          const SimulationOptions& options, Driver& driver);

  /// Adds a collective that no actor has begun, and returns its number. Its transfers are recorded
  /// with this stage. The fabric must outlive it.
  std::uint32_t add(const Fabric& fabric, Lanes lanes, double element_bytes, std::size_t stage = 0);
  /// Removes a collective that is over for all actors; its number is free again. Must not be called
  /// from the driver's functions.
  Lanes remove(std::uint32_t collective);
  /// Begins an actor's part in a collective.
  void begin(std::uint32_t collective, std::size_t actor);
  /// Calls the driver at a time, in seconds; for a past time, now.
  void set_alarm(double time, const Alarm& alarm);

  /// Advances to the next moment at which something happens. False if there is none.
  bool step();

  /// The present time in seconds.
  [[nodiscard]] double now() const { return queues_ ? queues_->now() : network_.now(); }
  /// The lanes of a collective that has been added.
  [[nodiscard]] const Lanes& lanes(std::uint32_t collective) const {
    return collectives_[collective]->lanes;
  }
  /// The number of messages that were received and added.
  [[nodiscard]] std::uint64_t messages() const { return messages_done_; }
  /// The number of flows that were carried.
  [[nodiscard]] std::uint64_t flows() const { return flows_started_; }
  /// The number of times that some flow was given a rate.
  [[nodiscard]] std::uint64_t rates() const { return network_.rates_given(); }
  /// The transfers that have taken place, if they are recorded.
  [[nodiscard]] std::vector<SimulatedTransfer> take_transfers() { return std::move(transfers_); }

 private:
  struct Collective {
    Routes routes;
    Lanes lanes;
    std::vector<double> adders;  ///< by lane: end of its additions so far
    double element_bytes;
    std::size_t stage;
  };

  // Time.
  [[nodiscard]] double next_of_network();
  void step_to(double time);
  /// Processes the network's events, as flows or as queues.
  void step_flows(double time);
  void step_queues(double time);
  /// Prefetches the memory for the messages of a list that come soon after the one at `now`.
  template <class List, class MessageOf>
  void expect(std::size_t now, const List& list, MessageOf message_of) const;
  void set_timer(double time, Timer timer);
  void set_timer_of_message(double time, Timer::What what, std::uint32_t message,
                            std::size_t elements = 0);
  void fire(const Timer& timer);
  void set_down(const Outage& outage, int by);

  // Lanes.
  void finish(std::uint32_t collective, std::size_t lane, std::size_t operation);
  /// Starts the operations behind the gates that have opened: receives at once, sends after their
  /// start-up time alpha.
  void start_opened(std::uint32_t collective);
  void start(std::uint32_t collective, const OpenGate& gate);

  // Messages.
  [[nodiscard]] Lanes& lanes_of(const Message& message) {
    return collectives_[message.collective]->lanes;
  }
  [[nodiscard]] const Channel& sending_end(const Message& message) const;
  [[nodiscard]] const Channel& receiving_end(const Message& message) const;
  [[nodiscard]] const Operation& send_of(const Message& message) const;
  [[nodiscard]] const Operation& receive_of(const Message& message) const;
  /// Lets a channel's next message begin to move, if there is one.
  void move(std::uint32_t collective, std::uint32_t channel);
  [[nodiscard]] std::uint32_t keep(const Message& message);
  /// Whether operations that wait for the first elements of a receive may continue once these have
  /// arrived. Not if adding takes time: a message is added as a whole, once it is complete.
  [[nodiscard]] bool counts_in_part(const Operation& receive) const;
  void set_milestone(FlowId flow);
  void pass_milestone(FlowId flow);
  void arrive_in_part(std::uint32_t number, std::size_t elements);
  /// Starts the flow of a message's bytes across the links, and returns it.
  FlowId start_flow(const Message& message, std::span<const LinkUse> uses, double bytes);
  /// The connection of a message's channel in the queues: that of its sender's earlier messages, of
  /// any collective, on a lane of this number to this peer.
  [[nodiscard]] std::uint32_t connection_of(const Message& message, std::span<const LinkUse> uses);
  /// The links from a message's receiver to its sender.
  [[nodiscard]] std::vector<LinkUse> way_back(const Message& message) const;
  /// Lets the sender continue after the last byte of a message has left it.
  void free_channel(const Message& message);
  /// Handles the last byte of a message leaving the last link.
  void come_out(std::uint32_t number);
  void arrive(std::uint32_t number);
  void complete_receive(std::uint32_t number);
  void record(const Message& message, Operation::Kind kind);

  NetworkModel model_;
  const SimulationOptions& options_;
  Driver& driver_;
  std::vector<double> capacities_;
  std::vector<int> down_;  ///< by link: number of present outages; empty before the first
  FluidNetwork network_;
  std::optional<QueueNetwork> queues_;  ///< used instead of it
  std::map<std::tuple<std::size_t, std::size_t, Peer>, std::uint32_t> connections_;
  std::vector<std::unique_ptr<Collective>> collectives_;
  std::vector<std::uint32_t> free_collectives_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<std::uint32_t> flows_;  ///< by flow: its message
  std::vector<std::uint32_t> ended_;  ///< messages that have ended in the present step
  std::vector<Passed> passed_;        ///< flows that have reached a milestone in it
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t timers_set_ = 0;
  std::uint64_t messages_done_ = 0;
  std::uint64_t flows_started_ = 0;
  std::vector<SimulatedTransfer> transfers_;
};

}  // namespace gradwire::simulator
