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

Outcome simulate(const Fabric& fabric, std::vector<Stage> stages, const NetworkModel& model,
                 const SimulationOptions& options) {
  return Run(fabric, std::move(stages), model, options).run();
}

Outcome simulate(const Fabric& fabric, std::vector<Plan> plans, const NetworkModel& model,
                 const SimulationOptions& options) {
  std::vector<Stage> stages;
  stages.push_back({.plans = std::move(plans)});
  return simulate(fabric, std::move(stages), model, options);
}

}  // namespace gradwire::simulator
