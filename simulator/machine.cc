#include "simulator/machine.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/error.h"

namespace gradwire::simulator {
namespace {

std::vector<double> capacities(const std::vector<double>& speeds, double rate) {
  ensure(rate > 0, "links have a rate");
  std::vector<double> all = speeds;
  for (double& one : all) one *= rate;
  return all;
}

}  // namespace

Machine::Machine(const std::vector<double>& speeds, const NetworkModel& model,
                 const SimulationOptions& options, Driver& driver)
    : model_(model),
      options_(options),
      driver_(driver),
      capacities_(capacities(speeds, model.rate)),
      network_(capacities_) {
  if (model.sockets) {
    ensure(options_.outages.empty(), "queues have no outages");
    queues_.emplace(capacities_, *model.sockets, model.burst);
  } else if (model.burst > 0) {
    network_.set_bursts(model.burst, model.burst_factor);
  }
  for (std::uint32_t i = 0; i < options_.outages.size(); ++i) {
    const Outage& outage = options_.outages[i];
    set_timer(outage.from, {.what = Timer::What::outage, .subject = i});
    if (outage.until < kNever) {
      set_timer(outage.until, {.what = Timer::What::repair, .subject = i});
    }
  }
}

std::uint32_t Machine::add(const Fabric& fabric, Lanes lanes, double element_bytes,
                           std::size_t stage) {
  auto collective = std::make_unique<Collective>(Collective{.routes = Routes(fabric),
                                                            .lanes = std::move(lanes),
                                                            .adders = {},
                                                            .element_bytes = element_bytes,
                                                            .stage = stage});
  collective->adders.resize(collective->lanes.size());
  if (free_collectives_.empty()) {
    collectives_.push_back(std::move(collective));
    return static_cast<std::uint32_t>(collectives_.size() - 1);
  }
  const std::uint32_t number = free_collectives_.back();
  free_collectives_.pop_back();
  collectives_[number] = std::move(collective);
  return number;
}

Lanes Machine::remove(std::uint32_t collective) {
  free_collectives_.push_back(collective);
  return std::move(std::exchange(collectives_[collective], nullptr)->lanes);
}

void Machine::begin(std::uint32_t collective, std::size_t actor) {
  if (collectives_[collective]->lanes.begin(actor)) return start_opened(collective);
  driver_.on_end(collective, actor);
}

void Machine::set_alarm(double time, const Alarm& alarm) {
  set_timer(std::max(time, now()),
            {.detail = alarm.detail, .what = Timer::What::alarm, .subject = alarm.subject});
}

double Machine::next_of_network() {
  return queues_ ? queues_->next_event() : network_.next_event();
}

bool Machine::step() {
  const double next = std::min(next_of_network(), timers_.empty() ? kNever : timers_.top().time);
  if (next == kNever) return false;
  step_to(next);
  return true;
}

// Where thousands of messages come to something at once, most of what that takes is waiting for
// memory. So it is asked for a few messages ahead: first for where their lanes stand, then for what
// is next there.
template <class List, class MessageOf>
void Machine::expect(std::size_t now, const List& list, MessageOf message_of) const {
  constexpr std::size_t kAhead = 8;
  const auto ask = [&](std::size_t at, auto what) {
    if (at >= list.size()) return;
    const Message& message = messages_[std::invoke(message_of, list[at])];
    const Lanes& lanes = this->lanes(message.collective);
    (lanes.*what)(sending_end(message).lane, message.pair.send);
    (lanes.*what)(receiving_end(message).lane, message.pair.receive);
  };
  ask(now + 2 * kAhead, &Lanes::expect);
  ask(now + kAhead, &Lanes::expect_soon);
}

void Machine::step_to(double time) {
  queues_ ? step_queues(time) : step_flows(time);
  // Timers that these events set for this very moment fire now, too.
  while (!timers_.empty() && timers_.top().time <= time * (1 + kSimultaneous)) {
    const Timer timer = timers_.top();
    timers_.pop();
    fire(timer);
  }
}

void Machine::step_queues(double time) {
  for (const QueueNetwork::Event& event : queues_->advance(time)) {
    const std::uint32_t number = flows_[event.flow];
    switch (event.what) {
      case QueueNetwork::Event::What::left: {
        const Message message = messages_[number];
        record(message, Operation::Kind::send);
        free_channel(message);
        break;
      }
      case QueueNetwork::Event::What::milestone:
        pass_milestone(event.flow);
        break;
      case QueueNetwork::Event::What::arrived:
        come_out(number);
        break;
    }
  }
}

void Machine::step_flows(double time) {
  // Which messages these are is noted before anything is done about them: what one ended flow sets
  // off may take over its number, and with it flows_[number].
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
  for (std::size_t i = 0; i < passed_.size(); ++i) {
    expect(i, passed_, &Passed::message);
    // A message that has also ended in this step needs no more milestones, and its flow is gone.
    if (!messages_[passed_[i].message].has_left) pass_milestone(passed_[i].flow);
  }
  for (std::size_t i = 0; i < ended_.size(); ++i) {
    expect(i, ended_, std::identity());
    // A copy: when it has come out, another message may take over the number.
    const Message message = messages_[ended_[i]];
    record(message, Operation::Kind::send);
    come_out(ended_[i]);
    free_channel(message);
  }
}

void Machine::set_timer(double time, Timer timer) {
  timer.time = time;
  timer.number = timers_set_++;
  timers_.push(timer);
}

void Machine::set_timer_of_message(double time, Timer::What what, std::uint32_t message,
                                   std::size_t elements) {
  set_timer(time, {.detail = elements, .what = what, .subject = message});
}

void Machine::fire(const Timer& timer) {
  switch (timer.what) {
    case Timer::What::alarm:
      return driver_.on_alarm({.subject = timer.subject, .detail = timer.detail});
    case Timer::What::started:
      return start(timer.collective,
                   {.lane = timer.subject, .gate = static_cast<std::uint32_t>(timer.detail)});
    case Timer::What::arrived:
      return arrive(timer.subject);
    case Timer::What::arrived_in_part:
      return arrive_in_part(timer.subject, timer.detail);
    case Timer::What::added:
      return complete_receive(timer.subject);
    case Timer::What::outage:
      return set_down(options_.outages[timer.subject], +1);
    case Timer::What::repair:
      return set_down(options_.outages[timer.subject], -1);
  }
}

void Machine::set_down(const Outage& outage, int by) {
  down_.resize(capacities_.size());  // outages may overlap: a link is up again when all are over
  for (const std::size_t link : outage.links) {
    down_[link] += by;
    network_.set_capacity(link, down_[link] > 0 ? 0 : capacities_[link]);
  }
}

void Machine::finish(std::uint32_t collective, std::size_t lane, std::size_t operation) {
  Lanes& lanes = collectives_[collective]->lanes;
  const std::size_t actor = lanes.lane(lane).actor;
  if (lanes.finish(lane, operation)) driver_.on_end(collective, actor);
  start_opened(collective);
}

void Machine::start_opened(std::uint32_t collective) {
  Lanes& lanes = collectives_[collective]->lanes;
  for (const OpenGate& gate : lanes.take_opened()) {
    if (model_.alpha > 0 && lanes.is_for_sends(gate)) {
      set_timer(now() + model_.alpha, {.detail = gate.gate,
                                       .what = Timer::What::started,
                                       .subject = gate.lane,
                                       .collective = collective});
    } else {
      start(collective, gate);
    }
  }
}

void Machine::start(std::uint32_t collective, const OpenGate& gate) {
  for (const std::uint32_t channel : collectives_[collective]->lanes.start(gate)) {
    move(collective, channel);
  }
}

}  // namespace gradwire::simulator
