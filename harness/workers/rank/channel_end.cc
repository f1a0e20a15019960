#include "harness/workers/rank/channel_end.h"

#include <algorithm>
#include <utility>

#include "transport/execution/executor.h"

namespace gradwire::workers {

ChannelEnd::ChannelEnd(ChannelTask task, const execution::RankEnds& ends) {
  for (const Goal& goal : task.goals) elements_ = std::max(elements_, goal.elements);
  buffer_ = ElementBuffer(task.type, 2 * elements_);
  std::vector<Plan> stages = task.plans;  // the first for Bench::work
  for (const Plan& plan : task.plans) stages.push_back(shifted(plan, elements_));
  for (std::size_t size = 0; size < task.goals.size(); ++size) {
    checks_.emplace_back(std::move(task.goals[size]), ends.self, task.plans[size], task.type,
                         task.seed);
  }
  const StagedPlan staged = in_stages(std::move(stages));
  if (!staged.plan.lanes.empty()) threads_ = staged.plan.lanes.size() - 1;
  executor_ = execution::make_executor(staged, buffer_.elements(), ends);
}

void ChannelEnd::clear() {
  for (const Bench bench : {Bench::work, Bench::witness}) {
    for (const GoalCheck& check : checks_) check.clear(memory(bench));
  }
}

void ChannelEnd::fill(std::size_t size, Bench bench, std::size_t number) {
  checks_[size].turn_to(number);
  checks_[size].fill(memory(bench));
}

void ChannelEnd::run(std::size_t size, Bench bench) {
  executor_->execute(size + (bench == Bench::witness ? checks_.size() : 0));
}

std::size_t ChannelEnd::count_wrong(std::size_t size, Bench bench, std::size_t number) {
  checks_[size].turn_to(number);
  return checks_[size].count_wrong(memory(bench));
}

HostMemory ChannelEnd::memory(Bench bench) const {
  return HostMemory(buffer_.elements().part(
      {.first = bench == Bench::witness ? elements_ : 0, .count = elements_}));
}

void connect_nobody(const execution::RankEnds& ends) {
  static_cast<void>(execution::make_executor(in_stages({Plan{}}), Elements(), ends));
}

}  // namespace gradwire::workers
