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
  std::uint32_t channel = 0;  ///< the sending end
  Pair pair;
  double begun = 0;
  std::size_t milestone = 0;  ///< elements at the last milestone that was set
  std::uint32_t hops = 0;
  bool has_left = false;  ///< all of it has left the sender; kept of flows only
};

/// Something that happens at a known time.
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
  std::uint64_t number = 0;  ///< the earlier set goes first
  std::size_t detail = 0;    ///< gate, elements, or what an alarm says
  What what{};
  std::uint32_t subject = 0;     ///< lane, message, outage, or what an alarm says
  std::uint32_t collective = 0;  ///< of a lane

  friend bool operator>(const Timer& a, const Timer& b) {
    return a.time != b.time ? a.time > b.time : a.number > b.number;
  }
};

/// A flow that has come to a milestone.
struct Passed {
  FlowId flow = 0;
  std::uint32_t message = 0;
};

/// What an alarm says to whoever set it.
struct Alarm {
  std::uint32_t subject = 0;
  std::size_t detail = 0;
};

/// Who decides what runs on a machine, and when.
class Driver {
 public:
  Driver() = default;
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  virtual ~Driver() = default;

  /// An actor's part in a collective is over, now. May set alarms, and nothing else.
  virtual void on_end(std::uint32_t collective, std::size_t actor) = 0;
  /// The time of an alarm has come. May add collectives, begin actors' parts and set alarms.
  virtual void on_alarm(const Alarm& alarm) = 0;
};

/// Links that carry the messages of any number of collectives, in virtual time. A collective is
/// Plans of actors on a fabric, with channels of its own; the links are shared by all.
///
/// Every event happens in one step(): first what the network reports, then the timers of the same
/// moment, in the order in which they were set. Whatever an event sets off at once happens before
/// the next event is looked at, so that the order of events, and with it every bit of the result,
/// depends on nothing but the arguments.
class Machine {
 public:
  /// Links of these speeds, times the model's rate. Records what `options` asks for, and has its
  /// outages. All arguments must outlive it.
  Machine(const std::vector<double>& speeds, const NetworkModel& model,
          const SimulationOptions& options, Driver& driver);

  /// Adds a collective that no actor has begun, and returns its number. Its transfers are recorded as
  /// of this stage. The fabric must outlive it.
  std::uint32_t add(const Fabric& fabric, Lanes lanes, double element_bytes, std::size_t stage = 0);
  /// Takes out a collective that is over for all actors; its number is free again. Not while the driver
  /// is being called.
  Lanes remove(std::uint32_t collective);
  /// Begins an actor's part in a collective.
  void begin(std::uint32_t collective, std::size_t actor);
  /// Calls the driver at a time, in seconds; of the past, now.
  void set_alarm(double time, const Alarm& alarm);

  /// Goes on to the next moment at which something happens. False when there is none.
  bool step();

  /// Seconds.
  [[nodiscard]] double now() const { return queues_ ? queues_->now() : network_.now(); }
  /// The lanes of a collective that has been added.
  [[nodiscard]] const Lanes& lanes(std::uint32_t collective) const {
    return collectives_[collective]->lanes;
  }
  /// Messages that were received and added.
  [[nodiscard]] std::uint64_t messages() const { return messages_done_; }
  /// Flows that were carried.
  [[nodiscard]] std::uint64_t flows() const { return flows_started_; }
  /// How often some flow was given a rate.
  [[nodiscard]] std::uint64_t rates() const { return network_.rates_given(); }
  /// What has taken place, when recorded.
  [[nodiscard]] std::vector<SimulatedTransfer> take_transfers() { return std::move(transfers_); }

 private:
  struct Collective {
    Routes routes;
    Lanes lanes;
    std::vector<double> adders;  ///< by lane: when its additions so far are done
    double element_bytes;
    std::size_t stage;
  };

  // Time.
  [[nodiscard]] double next_of_network();
  void step_to(double time);
  /// Does what the network reports, as flows or as queues.
  void step_flows(double time);
  void step_queues(double time);
  /// Asks memory for what the messages of a list will need that come soon after the one at `now`.
  template <class List, class MessageOf>
  void expect(std::size_t now, const List& list, MessageOf message_of) const;
  void set_timer(double time, Timer timer);
  void set_timer_of_message(double time, Timer::What what, std::uint32_t message,
                            std::size_t elements = 0);
  void fire(const Timer& timer);
  void set_down(const Outage& outage, int by);

  // Lanes.
  void finish(std::uint32_t collective, std::size_t lane, std::size_t operation);
  /// Starts what is behind the gates that have opened: receives at once, sends when they have
  /// started up, which takes alpha.
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
  /// Whether what waits for the first elements of a receive may go on when they have arrived. Not
  /// where adding takes time: a message is added as a whole, once it is complete.
  [[nodiscard]] bool counts_in_part(const Operation& receive) const;
  void set_milestone(FlowId flow);
  void pass_milestone(FlowId flow);
  void arrive_in_part(std::uint32_t number, std::size_t elements);
  /// Has a message's bytes begin to cross the links. Returns their flow.
  FlowId start_flow(const Message& message, std::span<const LinkUse> uses, double bytes);
  /// The connection of a message's channel, in the queues: that of its sender's earlier messages, of
  /// whatever collective, on a lane of this number to this peer.
  [[nodiscard]] std::uint32_t connection_of(const Message& message, std::span<const LinkUse> uses);
  /// The links from who receives a message to who sends it.
  [[nodiscard]] std::vector<LinkUse> way_back(const Message& message) const;
  /// Has the sender go on when the last byte of a message has left it.
  void free_channel(const Message& message);
  /// Notes the last byte of a message leaving the last link.
  void come_out(std::uint32_t number);
  void arrive(std::uint32_t number);
  void complete_receive(std::uint32_t number);
  void record(const Message& message, Operation::Kind kind);

  NetworkModel model_;
  const SimulationOptions& options_;
  Driver& driver_;
  std::vector<double> capacities_;
  std::vector<int> down_;  ///< by link: outages that it is in; empty before the first
  FluidNetwork network_;
  std::optional<QueueNetwork> queues_;  ///< instead of it
  std::map<std::tuple<std::size_t, std::size_t, Peer>, std::uint32_t> connections_;
  std::vector<std::unique_ptr<Collective>> collectives_;
  std::vector<std::uint32_t> free_collectives_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<std::uint32_t> flows_;  ///< by flow: its message
  std::vector<std::uint32_t> ended_;  ///< messages, in the step that is being made
  std::vector<Passed> passed_;        ///< flows at a milestone, likewise
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t timers_set_ = 0;
  std::uint64_t messages_done_ = 0;
  std::uint64_t flows_started_ = 0;
  std::vector<SimulatedTransfer> transfers_;
};

}  // namespace gradwire::simulator
