#include "simulator/simulation.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "simulator/run.h"

namespace gradwire::simulator {

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
  ensure(plans.size() == fabric.actors(), "every actor has a Plan");
  const auto plan_of = [&](std::size_t actor) -> const StagedPlan& { return plans[actor]; };
  return Run(fabric, plan_of, ready, model, options).run();
}

Outcome simulate(const Fabric& fabric, std::vector<Plan> plans, const NetworkModel& model,
                 const SimulationOptions& options) {
  ensure(plans.size() == fabric.actors(), "every actor has a Plan");
  StagedPlan staged;  // one at a time, because Plans take as much memory as what they become
  const auto plan_of = [&](std::size_t actor) -> const StagedPlan& {
    std::vector<Plan> one;
    one.push_back(std::move(plans[actor]));
    return staged = in_stages(std::move(one));
  };
  const double at_once[] = {0};
  return Run(fabric, plan_of, at_once, model, options).run();
}

}  // namespace gradwire::simulator
