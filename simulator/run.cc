#include "simulator/run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "simulator/stuck.h"

namespace gradwire::simulator {
namespace {

constexpr std::uint64_t kProgressEvery = 1 << 14;  // rates given; a fraction of a second
constexpr std::uint64_t kRatesAnEvent = 16;        // takes as long: many events change no rate

}  // namespace

Run::Run(const Fabric& fabric, const PlanOfActor& plan_of, std::span<const double> ready,
         const NetworkModel& model, const SimulationOptions& options)
    : fabric_(fabric),
      options_(options),
      ready_(ready),
      machine_(fabric.speeds(), model, options, *this),
      collective_(machine_.add(fabric, Lanes(fabric, plan_of), model.element_bytes)),
      actors_left_(fabric.actors()),
      messages_in_all_(machine_.lanes(collective_).messages()) {
  outcome_.stages.resize(fabric.actors(), std::vector<StageTimes>(ready.size()));
}

Outcome Run::run() {
  for (std::uint32_t actor = 0; actor < fabric_.actors(); ++actor) {
    machine_.set_alarm(ready_.front(), {.subject = actor});
  }
  while (actors_left_ > 0) {
    // Work is left, no byte moves and no timer runs: a link is down for good, or Plans wait for
    // each other.
    if (!machine_.step()) {
      throw stuck(machine_.lanes(collective_), machine_.now(), options_.outages);
    }
    ++outcome_.events;
    report();
  }
  outcome_.transfers = machine_.take_transfers();
  outcome_.flows = machine_.flows();
  outcome_.rates = machine_.rates();
  return std::move(outcome_);
}

void Run::report() {
  const std::uint64_t work = machine_.rates() + kRatesAnEvent * outcome_.events;
  if (!options_.progress || work < report_at_) return;
  report_at_ = work + kProgressEvery;
  options_.progress(static_cast<double>(machine_.messages()) /
                    static_cast<double>(messages_in_all_));
}

void Run::on_alarm(const Alarm& alarm) {
  const std::size_t stage = machine_.lanes(collective_).actors()[alarm.subject].stage;
  outcome_.stages[alarm.subject][stage].start = machine_.now();
  machine_.begin_stage(collective_, alarm.subject);
}

// The lanes count the stage as done already, so that `stage` is the next one.
void Run::on_stage_done(std::uint32_t collective, std::size_t actor) {
  const std::size_t next = machine_.lanes(collective).actors()[actor].stage;
  outcome_.stages[actor][next - 1].end = machine_.now();
  if (next == ready_.size()) {
    --actors_left_;
  } else {
    machine_.set_alarm(ready_[next], {.subject = static_cast<std::uint32_t>(actor)});
  }
}

}  // namespace gradwire::simulator
