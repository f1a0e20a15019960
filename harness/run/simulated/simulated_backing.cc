#include "harness/run/simulated/simulated_backing.h"

#include <optional>
#include <utility>

#include <fmt/core.h>

#include "harness/run/simulated/point_simulation.h"
#include "harness/workers/interrupt.h"

namespace gradwire::run {

SimulatedBacking::SimulatedBacking(SimulatedContext context)
    : context_(std::move(context)), records_(context_.experiment, context_.folder.attempt()) {}

void SimulatedBacking::measure() {
  std::optional<FabricError> stuck;
  for (const PreparedPoint& point : context_.points) {
    point_ = &point;
    report(0);
    try {
      simulate_point();
    } catch (const FabricError& error) {
      if (stuck) continue;
      stuck.emplace(error.failure(), error.place(),
                    fmt::format("{}: {}", title_of(*point_), error.detail()));
    }
  }
  if (stuck) throw FabricError(*stuck);
}

void SimulatedBacking::report(double done) const {
  workers::heed_signals();
  const auto number = static_cast<double>(point_ - context_.points.data());
  context_.progress.update(static_cast<std::size_t>((number + done) * kSteps),
                           "simulating " + title_of(*point_));
}

void SimulatedBacking::simulate_point() {
  const PreparedPoint& point = *point_;
  PointSimulation simulation(context_.experiment, point,
                             {.links = finding_of(context_.findings, point.configuration.wiring),
                              .trace = context_.trace,
                              .progress = [this](double done) { report(done); }});
  SimulatedIteration simulated = simulation.run();
  simulated.sample.attempt = context_.folder.attempt();
  context_.folder.begin(records_.of(point, 1,
                                    {.bounds = simulated.bounds, .limits = simulated.limits},
                                    std::move(simulated.plan)));
  context_.folder.append(simulated.sample);
  context_.folder.keep(record::Timeline{.key = point.key,
                                        .attempt = context_.folder.attempt(),
                                        .ranks = record::first_ranks(std::move(simulated.ranks))});
}

}  // namespace gradwire::run
