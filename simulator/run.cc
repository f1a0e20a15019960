#include "simulator/run.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "simulator/stuck.h"

/// Every event happens in one step_to(): first what the network reports, then the timers of the
/// same moment, in the order in which they were set. Whatever an event sets off at once happens
/// before the next event is looked at, so that the order of events, and with it every bit of the
/// result, depends on nothing but the arguments.
namespace gradwire::simulator {
namespace {

constexpr std::uint64_t kProgressEvery = 1 << 14;  // rates given; a fraction of a second
constexpr std::uint64_t kRatesAnEvent = 16;        // takes as long: many events change no rate

std::vector<double> capacities(const Fabric& fabric, double rate) {
  ensure(rate > 0, "links have a rate");
  std::vector<double> all = fabric.speeds();
  for (double& one : all) one *= rate;
  return all;
}

}  // namespace

Run::Run(const Fabric& fabric, const PlanOfActor& plan_of, std::span<const double> ready,
         const NetworkModel& model, const SimulationOptions& options)
    : fabric_(fabric),
      model_(model),
      options_(options),
      ready_(ready),
      capacities_(capacities(fabric, model.rate)),
      network_(capacities_),
      lanes_(fabric, plan_of),
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
    // Work is left, no byte moves and no timer runs: a link is down for good, or Plans wait for
    // each other.
    if (next == kNever) throw stuck(lanes_, network_.now(), options_.outages);
    step_to(next);
    ++outcome_.events;
    report();
  }
  outcome_.rates = network_.rates_given();
  return std::move(outcome_);
}

void Run::step_to(double time) {
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
  for (const Passed& passed : passed_) {
    // A message that has also ended in this step needs no more milestones, and its flow is gone.
    if (!messages_[passed.message].has_left) pass_milestone(passed.flow);
  }
  for (const std::uint32_t message : ended_) leave(message);
  // Timers that these events set for this very moment fire now, too.
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
  down_.resize(capacities_.size());  // outages may overlap: a link is up again when all are over
  for (const std::size_t link : outage.links) {
    down_[link] += by;
    network_.set_capacity(link, down_[link] > 0 ? 0 : capacities_[link]);
  }
}

void Run::report() {
  const std::uint64_t work = network_.rates_given() + kRatesAnEvent * outcome_.events;
  if (!options_.progress || work < report_at_) return;
  report_at_ = work + kProgressEvery;
  options_.progress(1 -
                    static_cast<double>(messages_left_) / static_cast<double>(messages_in_all_));
}

void Run::begin_stage(std::size_t actor) {
  outcome_.stages[actor][lanes_.actors()[actor].stage].start = network_.now();
  if (lanes_.begin_stage(actor)) return start_opened();
  end_stage(actor);
}

// The lanes count the stage as done already, so that `stage` is the next one.
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

}  // namespace gradwire::simulator
