#include "simulator/run.h"

#include <utility>

#include "core/count.h"
#include "core/error.h"
#include "simulator/stuck.h"

namespace gradwire::simulator {
namespace {

constexpr std::uint64_t kProgressEvery = 1 << 14;  // rates given; a fraction of a second
constexpr std::uint64_t kRatesAnEvent = 16;        // takes as long: many events change no rate

}  // namespace

Run::Run(const Fabric& fabric, std::vector<Stage> stages, const NetworkModel& model,
         const SimulationOptions& options)
    : fabric_(fabric),
      options_(options),
      element_bytes_(model.element_bytes),
      stages_(std::move(stages)),
      machine_(fabric.speeds(), model, options, *this),
      current_(fabric.actors()) {
  outcome_.stages.resize(fabric.actors(), std::vector<StageTimes>(stages_.size()));
  for (const Stage& stage : stages_) {
    for (const Plan& plan : stage.plans) messages_in_all_ += send_count(plan);
  }
}

Outcome Run::run() {
  for (std::uint32_t actor = 0; actor < fabric_.actors(); ++actor) {
    machine_.set_alarm(stages_.front().ready, {.subject = actor});
  }
  while (over_ < stages_.size()) {
    // Work is left, no byte moves and no timer runs: a link is down for good, or Plans wait for
    // each other. Later stages wait for the first that is under way.
    if (!machine_.step()) {
      throw stuck(machine_.lanes(under_way_.front().collective), machine_.now(), options_.outages);
    }
    retire_stages();
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
  const std::size_t number = current_[alarm.subject];
  outcome_.stages[alarm.subject][number].start = machine_.now();
  machine_.begin(stage(number).collective, alarm.subject);
}

void Run::on_end(std::uint32_t, std::size_t actor) {
  const std::size_t number = current_[actor]++;
  outcome_.stages[actor][number].end = machine_.now();
  --stage(number).actors_left;
  if (current_[actor] == stages_.size()) return;
  machine_.set_alarm(stages_[current_[actor]].ready,
                     {.subject = static_cast<std::uint32_t>(actor)});
}

// Actors begin stages in their order, so the next one to be added is the next one of all.
Run::UnderWay& Run::stage(std::size_t number) {
  if (number == over_ + under_way_.size()) {
    Lanes lanes(fabric_, std::move(stages_[number].plans));
    under_way_.push_back(
        {.collective = machine_.add(fabric_, std::move(lanes), element_bytes_, number),
         .actors_left = fabric_.actors()});
  }
  return under_way_[number - over_];
}

// An actor ends its stages in their order, too: no stage is over before an earlier one.
void Run::retire_stages() {
  while (!under_way_.empty() && under_way_.front().actors_left == 0) {
    machine_.remove(under_way_.front().collective);
    under_way_.pop_front();
    ++over_;
  }
}

}  // namespace gradwire::simulator
