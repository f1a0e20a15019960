#include "simulator/simulation.h"

#include <algorithm>
#include <queue>
#include <utility>

#include "core/error.h"
#include "simulator/lanes.h"
#include "simulator/stuck.h"

namespace gradwire::simulator {
namespace {

constexpr double kElementBytes = sizeof(float);
constexpr double kSimultaneous = 1e-12;  // as FluidNetwork's
constexpr std::uint64_t kProgressEvery = 1 << 19;  // rates given; a fraction of a second

using Kind = Operation::Kind;

/// A message that has begun to move and is not yet received.
struct Message {
  std::uint32_t channel = 0;  ///< of the sender
  std::uint32_t send = 0;     ///< operation of the sender's lane
  std::uint32_t receive = 0;  ///< operation of the receiver's lane
  std::uint32_t hops = 0;
  double begun = 0;
  std::size_t milestone = 0;  ///< elements at the last milestone that was set
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

std::vector<double> capacities(const Fabric& fabric, double rate) {
  ensure(rate > 0, "links have a rate");
  std::vector<double> all = fabric.speeds();
  for (double& one : all) one *= rate;
  return all;
}

class Run {
 public:
  Run(const Fabric& fabric, std::span<const StagedPlan> plans, std::span<const double> ready,
      const NetworkModel& model, const SimulationOptions& options)
      : fabric_(fabric),
        model_(model),
        options_(options),
        ready_(ready),
        capacities_(capacities(fabric, model.rate)),
        network_(capacities_),
        lanes_(fabric, plans),
        messages_left_(lanes_.messages()),
        messages_in_all_(messages_left_) {
    outcome_.stages.resize(fabric.actors(), std::vector<StageTimes>(ready.size()));
  }

  [[nodiscard]] Outcome run() {
    for (std::size_t i = 0; i < options_.outages.size(); ++i) {
      const Outage& outage = options_.outages[i];
      set_timer(outage.from, Timer::What::outage, i, 0);
      if (outage.until < kNever) set_timer(outage.until, Timer::What::repair, i, 0);
    }
    for (std::size_t i = 0; i < lanes_.actors.size(); ++i) {
      ++actors_left_;
      set_timer(ready_.front(), Timer::What::stage, i, 0);
    }
    while (actors_left_ > 0) {
      const double next =
          std::min(network_.next_event(), timers_.empty() ? kNever : timers_.top().time);
      if (next == kNever) throw stuck(lanes_, network_.now(), options_.outages);
      step_to(next);
      report();
    }
    return std::move(outcome_);
  }

 private:
  void report() {
    if (!options_.progress || network_.rates_given() < report_at_) return;
    report_at_ = network_.rates_given() + kProgressEvery;
    options_.progress(1 - static_cast<double>(messages_left_) /
                              static_cast<double>(messages_in_all_));
  }

  // --- time
  // ---------------------------------------------------------------------------------------

  void step_to(double time) {
    // Messages first: what an ended flow sets off may take over its number.
    ended_.clear();
    passed_.clear();
    for (const FluidNetwork::Event& event : network_.advance(time)) {
      if (event.done) {
        ended_.push_back(flows_[event.flow]);
      } else {
        passed_.push_back(event.flow);
      }
    }
    for (const FlowId flow : passed_) pass_milestone(flow);
    for (const std::uint32_t message : ended_) leave(message);
    while (!timers_.empty() && timers_.top().time <= time * (1 + kSimultaneous)) {
      const Timer timer = timers_.top();
      timers_.pop();
      fire(timer);
    }
  }

  void set_timer(double time, Timer::What what, std::size_t subject, std::size_t detail) {
    timers_.push({time, timers_set_++, what, static_cast<std::uint32_t>(subject), detail});
  }

  void fire(const Timer& timer) {
    switch (timer.what) {
      case Timer::What::stage:
        return begin_stage(timer.subject);
      case Timer::What::started:
        return start_up(timer.subject, timer.detail);
      case Timer::What::arrived:
        return arrive(timer.subject);
      case Timer::What::arrived_in_part:
        return give_wakeups(receiver(timer.subject), messages_[timer.subject].receive,
                            timer.detail);
      case Timer::What::added:
        return complete_receive(timer.subject);
      case Timer::What::outage:
        return set_down(options_.outages[timer.subject], +1);
      case Timer::What::repair:
        return set_down(options_.outages[timer.subject], -1);
    }
  }

  void set_down(const Outage& outage, int by) {
    down_.resize(capacities_.size());
    for (const std::size_t link : outage.links) {
      down_[link] += by;
      network_.set_capacity(link, down_[link] > 0 ? 0 : capacities_[link]);
    }
  }

  // --- stages
  // -------------------------------------------------------------------------------------

  void begin_stage(std::size_t number) {
    ActorState& actor = lanes_.actors[number];
    actor.is_running = true;
    actor.lanes_left = 0;
    outcome_.stages[number][actor.stage].start = network_.now();
    for (std::size_t i = 0; i < actor.lanes; ++i) {
      LaneState& lane = lanes_.lanes[actor.first_lane + i];
      reset(lane, actor.stage);
      if (lane.operations_left > 0) ++actor.lanes_left;
    }
    if (actor.lanes_left == 0) return end_stage(number);
    for (std::size_t i = 0; i < actor.lanes; ++i) {
      const std::size_t lane = actor.first_lane + i;
      const auto inputs = lanes_.lanes[lane].program().gate_inputs();
      for (std::size_t gate = 0; gate < inputs.size(); ++gate) {
        if (inputs[gate] == 0) open(lane, gate);
      }
    }
  }

  void reset(LaneState& lane, std::size_t stage) {
    lane.stage = stage;
    const LaneProgram& program = lane.program();
    lane.inputs_left.assign(program.gate_inputs().begin(), program.gate_inputs().end());
    lane.has_started.assign(program.gate_inputs().size(), 0);
    lane.wakeups_given.assign(program.operations().size(), 0);
    lane.operations_left = program.operations().size();
    for (std::size_t c = 0; c < program.channels().size(); ++c) {
      Channel& channel = lanes_.channels[lane.first_channel + c];
      channel.sent = channel.received = 0;
    }
  }

  void end_stage(std::size_t number) {
    ActorState& actor = lanes_.actors[number];
    actor.is_running = false;
    outcome_.stages[number][actor.stage].end = network_.now();
    if (++actor.stage == ready_.size()) {
      --actors_left_;
    } else {
      set_timer(std::max(network_.now(), ready_[actor.stage]), Timer::What::stage, number, 0);
    }
  }

  // --- lanes
  // --------------------------------------------------------------------------------------

  /// Receives behind the gate may take place at once, sends when they have started up.
  void open(std::size_t number, std::size_t gate) {
    const LaneState& lane = lanes_.lanes[number];
    const LaneProgram& program = lane.program();
    const auto behind = program.behind(gate);
    const bool sends = !behind.empty() && program.operations()[behind.front()].kind == Kind::send;
    if (sends && model_.alpha > 0) {
      set_timer(network_.now() + model_.alpha, Timer::What::started, number, gate);
    } else {
      start_up(number, gate);
    }
    if (const auto next = program.next_gate(gate)) enter(number, *next);
  }

  void start_up(std::size_t number, std::size_t gate) {
    LaneState& lane = lanes_.lanes[number];
    lane.has_started[gate] = 1;
    for (const std::size_t waiter : lane.program().behind(gate)) {
      const Operation& operation = lane.program().operations()[waiter];
      const std::uint32_t channel = lane.first_channel + operation.channel;
      move(operation.kind == Kind::send ? channel : lanes_.channels[channel].remote);
    }
  }

  void enter(std::size_t lane, std::size_t gate) {
    if (--lanes_.lanes[lane].inputs_left[gate] == 0) open(lane, gate);
  }

  /// The first `elements` of an operation are done.
  void give_wakeups(std::size_t lane, std::size_t operation, std::size_t elements) {
    const auto wakeups = lanes_.lanes[lane].program().wakeups(operation);
    while (lanes_.lanes[lane].wakeups_given[operation] < wakeups.size()) {
      const Wakeup& wakeup = wakeups[lanes_.lanes[lane].wakeups_given[operation]];
      if (wakeup.needed > elements) return;
      ++lanes_.lanes[lane].wakeups_given[operation];
      enter(lane, wakeup.gate);
    }
  }

  void finish(std::size_t number, std::size_t operation) {
    LaneState& lane = lanes_.lanes[number];
    give_wakeups(number, operation, lane.program().operations()[operation].extent.count);
    if (--lane.operations_left > 0) return;
    if (--lanes_.actors[lane.actor].lanes_left == 0) end_stage(lane.actor);
  }

  // --- messages
  // -----------------------------------------------------------------------------------

  [[nodiscard]] std::size_t receiver(std::size_t message) const {
    return lanes_.channels[lanes_.channels[messages_[message].channel].remote].lane;
  }

  /// Lets a channel's next message begin to move if both ends are ready for it.
  void move(std::uint32_t number) {
    Channel& out = lanes_.channels[number];
    if (out.is_sending) return;
    Channel& in = lanes_.channels[out.remote];
    const LaneState& sender = lanes_.lanes[out.lane];
    const LaneState& taker = lanes_.lanes[in.lane];
    if (sender.stage != taker.stage || sender.stage >= sender.programs.size()) return;
    const auto sends = lanes_.queue(out, Kind::send);
    const auto receives = lanes_.queue(in, Kind::receive);
    if (out.sent == sends.size() || in.received == receives.size()) return;
    const std::size_t send = sends[out.sent];
    const std::size_t receive = receives[in.received];
    if (sender.has_started[sender.program().gate_of(send)] == 0) return;
    if (taker.has_started[taker.program().gate_of(receive)] == 0) return;
    out.is_sending = true;
    ++out.sent;
    ++in.received;
    begin({.channel = number,
           .send = static_cast<std::uint32_t>(send),
           .receive = static_cast<std::uint32_t>(receive),
           .begun = network_.now()});
  }

  void begin(Message message) {
    const Channel& out = lanes_.channels[message.channel];
    fabric_.route(lanes_.actor(out), lanes_.peer(out), uses_);
    for (const LinkUse& use : uses_) message.hops += use.times;
    const Extent extent = send_of(message).extent;
    ensure(extent.count == receive_of(message).extent.count, "a send meets a receive of its size");
    std::uint32_t number = 0;
    if (free_messages_.empty()) {
      number = static_cast<std::uint32_t>(messages_.size());
      messages_.push_back(message);
    } else {
      number = free_messages_.back();
      free_messages_.pop_back();
      messages_[number] = message;
    }
    const FlowId flow = network_.start(uses_, static_cast<double>(extent.count) * kElementBytes);
    ++outcome_.flows;
    if (flows_.size() <= flow) flows_.resize(flow + 1);
    flows_[flow] = number;
    set_milestone(flow);
  }

  [[nodiscard]] const Operation& send_of(const Message& message) const {
    const Channel& out = lanes_.channels[message.channel];
    return lanes_.lanes[out.lane].program().operations()[message.send];
  }
  [[nodiscard]] const Operation& receive_of(const Message& message) const {
    const Channel& in = lanes_.channels[lanes_.channels[message.channel].remote];
    return lanes_.lanes[in.lane].program().operations()[message.receive];
  }

  /// What is added is added as a whole.
  [[nodiscard]] bool counts_in_part(const Operation& receive) const {
    return model_.gamma == 0 || receive.how == Combine::replace;
  }

  /// How many elements some operation waits for beyond the first `beyond`, fewer than all; 0: none.
  [[nodiscard]] std::size_t next_part(std::size_t lane, std::size_t operation,
                                      std::size_t beyond) const {
    const LaneProgram& program = lanes_.lanes[lane].program();
    for (const Wakeup& wakeup : program.wakeups(operation)) {
      if (wakeup.needed == program.operations()[operation].extent.count) return 0;
      if (wakeup.needed > beyond) return wakeup.needed;
    }
    return 0;
  }

  void set_milestone(FlowId flow) {
    Message& message = messages_[flows_[flow]];
    const std::size_t lane = lanes_.channels[message.channel].lane;
    const std::size_t sent = next_part(lane, message.send, message.milestone);
    std::size_t received = 0;
    if (counts_in_part(receive_of(message))) {
      received = next_part(receiver(flows_[flow]), message.receive, message.milestone);
    }
    const std::size_t next = sent == 0 || (received != 0 && received < sent) ? received : sent;
    if (next == 0) return;
    message.milestone = next;
    network_.set_milestone(flow, static_cast<double>(next) * kElementBytes);
  }

  void pass_milestone(FlowId flow) {
    const std::uint32_t number = flows_[flow];
    const Message message = messages_[number];
    give_wakeups(lanes_.channels[message.channel].lane, message.send, message.milestone);
    if (counts_in_part(receive_of(message))) {
      const double delay = model_.delay * message.hops;
      if (delay > 0) {
        set_timer(network_.now() + delay, Timer::What::arrived_in_part, number, message.milestone);
      } else {
        give_wakeups(receiver(number), message.receive, message.milestone);
      }
    }
    set_milestone(flow);
  }

  /// The last byte has left the sender.
  void leave(std::uint32_t number) {
    const Message message = messages_[number];
    Channel& out = lanes_.channels[message.channel];
    record(number, Kind::send);
    out.is_sending = false;
    const double delay = model_.delay * message.hops;
    const std::uint32_t lane = out.lane;
    if (delay > 0) {
      set_timer(network_.now() + delay, Timer::What::arrived, number, 0);
    } else {
      arrive(number);
    }
    finish(lane, message.send);
    move(message.channel);
  }

  void arrive(std::size_t number) {
    const Operation& receive = receive_of(messages_[number]);
    if (model_.gamma == 0 || receive.how == Combine::replace) return complete_receive(number);
    double& free = lanes_.lanes[receiver(number)].adder_free;
    const double bytes = static_cast<double>(receive.extent.count) * kElementBytes;
    free = std::max(free, network_.now()) + model_.gamma * bytes;
    set_timer(free, Timer::What::added, number, 0);
  }

  void complete_receive(std::size_t number) {
    const std::size_t lane = receiver(number);
    const std::uint32_t receive = messages_[number].receive;
    record(number, Kind::receive);
    free_messages_.push_back(static_cast<std::uint32_t>(number));
    finish(lane, receive);
    --messages_left_;
  }

  void record(std::size_t number, Kind kind) {
    if (!options_.record) return;
    const Message& message = messages_[number];
    const bool sends = kind == Kind::send;
    const Channel& out = lanes_.channels[message.channel];
    const Channel& end = sends ? out : lanes_.channels[out.remote];
    const LaneState& lane = lanes_.lanes[end.lane];
    outcome_.transfers.push_back({.actor = lane.actor,
                                  .stage = lane.stage,
                                  .lane = lane.number,
                                  .operation = sends ? send_of(message) : receive_of(message),
                                  .peer = lanes_.peer(end),
                                  .posted = message.begun,
                                  .done = network_.now()});
  }

  const Fabric& fabric_;
  NetworkModel model_;
  const SimulationOptions& options_;
  std::span<const double> ready_;
  std::vector<double> capacities_;
  std::vector<int> down_;  ///< by link: outages that it is in; empty before the first
  FluidNetwork network_;
  Lanes lanes_;
  std::vector<Message> messages_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<std::uint32_t> flows_;  ///< by flow: its message
  std::vector<std::uint32_t> ended_;  ///< messages, in the step that is being made
  std::vector<FlowId> passed_;        ///< flows at a milestone
  std::vector<LinkUse> uses_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t timers_set_ = 0;
  std::size_t actors_left_ = 0;
  std::uint64_t messages_left_;
  std::uint64_t messages_in_all_;
  std::uint64_t report_at_ = kProgressEvery;  ///< when so many rates have been given
  Outcome outcome_;
};

}  // namespace

double Outcome::end_of(std::size_t stage) const {
  double last = 0;
  for (const auto& actor : stages) last = std::max(last, actor.at(stage).end);
  return last;
}

double Outcome::start_of(std::size_t stage) const {
  double last = 0;
  for (const auto& actor : stages) last = std::max(last, actor.at(stage).start);
  return last;
}

Outcome simulate(const Fabric& fabric, std::span<const StagedPlan> plans,
                 std::span<const double> ready, const NetworkModel& model,
                 const SimulationOptions& options) {
  return Run(fabric, plans, ready, model, options).run();
}

Outcome simulate(const Fabric& fabric, std::vector<Plan> plans, const NetworkModel& model,
                 const SimulationOptions& options) {
  std::vector<StagedPlan> staged;
  staged.reserve(plans.size());
  for (Plan& plan : plans) {
    std::vector<Plan> one;
    one.push_back(std::move(plan));
    staged.push_back(in_stages(std::move(one)));
  }
  const double at_once[] = {0};
  return simulate(fabric, staged, at_once, model, options);
}

}  // namespace gradwire::simulator
