#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <vector>

#include "core/lane_program.h"
#include "simulator/fabric.h"
#include "simulator/lanes.h"
#include "simulator/network.h"
#include "simulator/simulation.h"

namespace gradwire::simulator {

/// A message that has begun to move and is not yet received.
struct Message {
  std::uint32_t channel = 0;  ///< the sending end
  Pair pair;
  std::uint32_t hops = 0;
  double begun = 0;
  std::size_t milestone = 0;  ///< elements at the last milestone that was set
  bool has_left = false;      ///< all of it has left the sender
};

/// Something that happens at a known time.
struct Timer {
  enum class What : std::uint8_t {
    stage,
    started,
    arrived,
    arrived_in_part,
    added,
    outage,
    repair
  };

  double time;
  std::uint64_t number;  ///< the earlier set goes first
  What what;
  std::uint32_t subject;  ///< actor, lane, message or outage
  std::size_t detail;     ///< gate or elements

  friend bool operator>(const Timer& a, const Timer& b) {
    return a.time != b.time ? a.time > b.time : a.number > b.number;
  }
};

/// A flow that has come to a milestone.
struct Passed {
  FlowId flow = 0;
  std::uint32_t message = 0;
};

/// One simulation, from its first moment to its last: simulate() of simulation.h, whose arguments
/// it refers to.
class Run {
 public:
  Run(const Fabric& fabric, const PlanOfActor& plan_of, std::span<const double> ready,
      const NetworkModel& model, const SimulationOptions& options);

  [[nodiscard]] Outcome run();

 private:
  // Time.
  void step_to(double time);
  void set_timer(double time, Timer::What what, std::size_t subject, std::size_t detail);
  void fire(const Timer& timer);
  void set_down(const Outage& outage, int by);
  void report();

  // Stages and lanes.
  void begin_stage(std::size_t actor);
  /// Notes that the actor's stage is over, and sets a timer for its next one.
  void end_stage(std::size_t actor);
  void finish(std::size_t lane, std::size_t operation);
  /// Starts what is behind the gates that have opened: receives at once, sends when they have
  /// started up, which takes alpha.
  void start_opened();
  void start(const OpenGate& gate);

  // Messages.
  [[nodiscard]] const Channel& sending_end(const Message& message) const;
  [[nodiscard]] const Channel& receiving_end(const Message& message) const;
  [[nodiscard]] std::size_t receiver(std::size_t message) const;
  [[nodiscard]] const Operation& send_of(const Message& message) const;
  [[nodiscard]] const Operation& receive_of(const Message& message) const;
  /// Lets a channel's next message begin to move, if there is one.
  void move(std::uint32_t channel);
  [[nodiscard]] std::uint32_t keep(const Message& message);
  /// Whether what waits for the first elements of a receive may go on when they have arrived. Not
  /// where adding takes time: a message is added as a whole, once it is complete.
  [[nodiscard]] bool counts_in_part(const Operation& receive) const;
  void set_milestone(FlowId flow);
  void pass_milestone(FlowId flow);
  /// Notes the last byte of a message leaving its sender.
  void leave(std::uint32_t number);
  void arrive(std::size_t number);
  void complete_receive(std::size_t number);
  void record(const Message& message, Operation::Kind kind);

  const Fabric& fabric_;
  NetworkModel model_;
  const SimulationOptions& options_;
  std::span<const double> ready_;
  std::vector<double> capacities_;
  std::vector<int> down_;  ///< by link: outages that it is in; empty before the first
  FluidNetwork network_;
  Lanes lanes_;
  std::vector<double> adders_;  ///< by lane: when its additions so far are done
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<std::uint32_t> flows_;  ///< by flow: its message
  std::vector<std::uint32_t> ended_;  ///< messages, in the step that is being made
  std::vector<Passed> passed_;        ///< flows at a milestone, likewise
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t timers_set_ = 0;
  std::size_t actors_left_ = 0;
  std::uint64_t messages_left_;
  std::uint64_t messages_in_all_;
  std::uint64_t report_at_ = 0;  ///< when so much work is done
  Outcome outcome_;
};

}  // namespace gradwire::simulator
