#include "simulator/run.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "simulator/stuck.h"

namespace gradwire::simulator {
namespace {

constexpr double kElementBytes = sizeof(float);
constexpr std::uint64_t kProgressEvery = 1 << 19;  // rates given; a fraction of a second

std::vector<double> capacities(const Fabric& fabric, double rate) {
  ensure(rate > 0, "links have a rate");
  std::vector<double> all = fabric.speeds();
  for (double& one : all) one *= rate;
  return all;
}

/// How many elements some operation waits for beyond the first `beyond`, fewer than all; 0: none.
std::size_t next_part(const LaneProgram& program, std::size_t operation, std::size_t beyond) {
  for (const Wakeup& wakeup : program.wakeups(operation)) {
    if (wakeup.needed == program.operations()[operation].extent.count) return 0;
    if (wakeup.needed > beyond) return wakeup.needed;
  }
  return 0;
}

}  // namespace

Run::Run(const Fabric& fabric, std::span<const StagedPlan> plans, std::span<const double> ready,
         const NetworkModel& model, const SimulationOptions& options)
    : fabric_(fabric),
      model_(model),
      options_(options),
      ready_(ready),
      capacities_(capacities(fabric, model.rate)),
      network_(capacities_),
      lanes_(fabric, plans),
      adders_(lanes_.size()),
      messages_left_(lanes_.messages()),
      messages_in_all_(messages_left_) {
  if (model.burst > 0) network_.set_bursts(model.burst, model.burst_factor);
  outcome_.stages.resize(fabric.actors(), std::vector<StageTimes>(ready.size()));
}

Outcome Run::run() {
  for (std::size_t i = 0; i < options_.outages.size(); ++i) {
    const Outage& outage = options_.outages[i];
    set_timer(outage.from, Timer::What::outage, i, 0);
    if (outage.until < kNever) set_timer(outage.until, Timer::What::repair, i, 0);
  }
  actors_left_ = fabric_.actors();
  for (std::size_t i = 0; i < actors_left_; ++i) {
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

void Run::step_to(double time) {
  // Messages first: what an ended flow sets off may take over its number.
  ended_.clear();
  passed_.clear();
  for (const FluidNetwork::Event& event : network_.advance(time)) {
    if (event.done) {
      ended_.push_back(flows_[event.flow]);
      messages_[ended_.back()].has_left = true;
    } else {
      passed_.push_back({.flow = event.flow, .message = flows_[event.flow]});
    }
  }
  for (const Passed& passed : passed_) {
    if (!messages_[passed.message].has_left)
      pass_milestone(passed.flow);  // else its end says it all
  }
  for (const std::uint32_t message : ended_) leave(message);
  while (!timers_.empty() && timers_.top().time <= time * (1 + kSimultaneous)) {
    const Timer timer = timers_.top();
    timers_.pop();
    fire(timer);
  }
}

void Run::set_timer(double time, Timer::What what, std::size_t subject, std::size_t detail) {
  timers_.push({time, timers_set_++, what, static_cast<std::uint32_t>(subject), detail});
}

void Run::fire(const Timer& timer) {
  switch (timer.what) {
    case Timer::What::stage:
      return begin_stage(timer.subject);
    case Timer::What::started:
      return start({.lane = timer.subject, .gate = static_cast<std::uint32_t>(timer.detail)});
    case Timer::What::arrived:
      return arrive(timer.subject);
    case Timer::What::arrived_in_part:
      lanes_.advance(receiver(timer.subject), messages_[timer.subject].pair.receive, timer.detail);
      return start_opened();
    case Timer::What::added:
      return complete_receive(timer.subject);
    case Timer::What::outage:
      return set_down(options_.outages[timer.subject], +1);
    case Timer::What::repair:
      return set_down(options_.outages[timer.subject], -1);
  }
}

void Run::set_down(const Outage& outage, int by) {
  down_.resize(capacities_.size());
  for (const std::size_t link : outage.links) {
    down_[link] += by;
    network_.set_capacity(link, down_[link] > 0 ? 0 : capacities_[link]);
  }
}

void Run::report() {
  if (!options_.progress || network_.rates_given() < report_at_) return;
  report_at_ = network_.rates_given() + kProgressEvery;
  options_.progress(1 -
                    static_cast<double>(messages_left_) / static_cast<double>(messages_in_all_));
}

void Run::begin_stage(std::size_t actor) {
  outcome_.stages[actor][lanes_.actors()[actor].stage].start = network_.now();
  if (lanes_.begin_stage(actor)) return start_opened();
  end_stage(actor);
}

void Run::end_stage(std::size_t actor) {
  const std::size_t next = lanes_.actors()[actor].stage;
  outcome_.stages[actor][next - 1].end = network_.now();
  if (next == ready_.size()) {
    --actors_left_;
  } else {
    set_timer(std::max(network_.now(), ready_[next]), Timer::What::stage, actor, 0);
  }
}

void Run::finish(std::size_t lane, std::size_t operation) {
  const std::size_t actor = lanes_.lane(lane).actor;
  if (lanes_.finish(lane, operation)) end_stage(actor);
  start_opened();
}

void Run::start_opened() {
  for (const OpenGate& gate : lanes_.take_opened()) {
    if (model_.alpha > 0 && lanes_.is_for_sends(gate)) {
      set_timer(network_.now() + model_.alpha, Timer::What::started, gate.lane, gate.gate);
    } else {
      start(gate);
    }
  }
}

void Run::start(const OpenGate& gate) {
  for (const std::uint32_t channel : lanes_.start(gate)) move(channel);
}

const Channel& Run::sending_end(const Message& message) const {
  return lanes_.channels()[message.channel];
}

const Channel& Run::receiving_end(const Message& message) const {
  return lanes_.channels()[sending_end(message).remote];
}

std::size_t Run::receiver(std::size_t message) const {
  return receiving_end(messages_[message]).lane;
}

const Operation& Run::send_of(const Message& message) const {
  return lanes_.lane(sending_end(message).lane).program().operations()[message.pair.send];
}

const Operation& Run::receive_of(const Message& message) const {
  return lanes_.lane(receiving_end(message).lane).program().operations()[message.pair.receive];
}

void Run::move(std::uint32_t channel) {
  const std::optional<Pair> pair = lanes_.take_message(channel);
  if (!pair) return;
  Message message{.channel = channel, .pair = *pair, .begun = network_.now()};
  const Channel& out = sending_end(message);
  fabric_.route(lanes_.actor(out), lanes_.peer(out), uses_);
  for (const LinkUse& use : uses_) message.hops += use.times;
  const std::size_t elements = send_of(message).extent.count;
  ensure(elements == receive_of(message).extent.count, "a send meets a receive of its size");
  const FlowId flow = network_.start(uses_, static_cast<double>(elements) * kElementBytes);
  ++outcome_.flows;
  if (flows_.size() <= flow) flows_.resize(flow + 1);
  flows_[flow] = keep(message);
  set_milestone(flow);
}

std::uint32_t Run::keep(const Message& message) {
  if (free_messages_.empty()) {
    messages_.push_back(message);
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t number = free_messages_.back();
  free_messages_.pop_back();
  messages_[number] = message;
  return number;
}

bool Run::counts_in_part(const Operation& receive) const {
  return model_.gamma == 0 || receive.how == Combine::replace;
}

void Run::set_milestone(FlowId flow) {
  Message& message = messages_[flows_[flow]];
  const LaneProgram& sender = lanes_.lane(sending_end(message).lane).program();
  const LaneProgram& taker = lanes_.lane(receiving_end(message).lane).program();
  std::size_t next = next_part(sender, message.pair.send, message.milestone);
  if (counts_in_part(receive_of(message))) {
    const std::size_t other = next_part(taker, message.pair.receive, message.milestone);
    if (next == 0 || (other != 0 && other < next)) next = other;
  }
  if (next == 0) return;
  message.milestone = next;
  network_.set_milestone(flow, static_cast<double>(next) * kElementBytes);
}

void Run::pass_milestone(FlowId flow) {
  const std::uint32_t number = flows_[flow];
  const Message message = messages_[number];
  lanes_.advance(sending_end(message).lane, message.pair.send, message.milestone);
  if (counts_in_part(receive_of(message))) {
    const double delay = model_.delay * message.hops;
    if (delay > 0) {
      set_timer(network_.now() + delay, Timer::What::arrived_in_part, number, message.milestone);
    } else {
      lanes_.advance(receiver(number), message.pair.receive, message.milestone);
    }
  }
  set_milestone(flow);
  start_opened();
}

void Run::leave(std::uint32_t number) {
  const Message message = messages_[number];
  record(message, Operation::Kind::send);
  const double delay = model_.delay * message.hops;
  if (delay > 0) {
    set_timer(network_.now() + delay, Timer::What::arrived, number, 0);
  } else {
    arrive(number);
  }
  lanes_.release(message.channel);
  finish(sending_end(message).lane, message.pair.send);
  move(message.channel);
}

void Run::arrive(std::size_t number) {
  const Operation& receive = receive_of(messages_[number]);
  if (counts_in_part(receive)) return complete_receive(number);
  double& free = adders_[receiver(number)];
  const double bytes = static_cast<double>(receive.extent.count) * kElementBytes;
  free = std::max(free, network_.now()) + model_.gamma * bytes;
  set_timer(free, Timer::What::added, number, 0);
}

void Run::complete_receive(std::size_t number) {
  const Message message = messages_[number];
  record(message, Operation::Kind::receive);
  free_messages_.push_back(static_cast<std::uint32_t>(number));
  --messages_left_;
  finish(receiving_end(message).lane, message.pair.receive);
}

void Run::record(const Message& message, Operation::Kind kind) {
  if (!options_.record) return;
  const bool sends = kind == Operation::Kind::send;
  const Channel& end = sends ? sending_end(message) : receiving_end(message);
  const LaneState& lane = lanes_.lane(end.lane);
  outcome_.transfers.push_back({.actor = lane.actor,
                                .stage = lane.stage,
                                .lane = lane.number,
                                .operation = sends ? send_of(message) : receive_of(message),
                                .peer = lanes_.peer(end),
                                .posted = message.begun,
                                .done = network_.now()});
}

}  // namespace gradwire::simulator
