#include "simulator/simulation.h"

#include <algorithm>
#include <utility>

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
