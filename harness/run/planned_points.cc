#include "harness/run/planned_points.h"

#include "harness/names/policies.h"
#include "harness/run/prepare.h"
#include "schedule/optimum.h"
#include "text/yaml_reader.h"
#include "topologies/topology.h"

namespace gradwire::run {
namespace {

PlannedPoint plan_point(const experiment::Experiment& experiment, const experiment::Point& point) {
  PlannedPoint planned{.point = &point, .profile = profile_of(experiment, point).value()};
  if (!experiment.rate.is_limited()) {
    throw InputError(experiment.link_place, "link.rate: unlimited: a plan goes by the rate");
  }
  const experiment::AssumedCost& cost = experiment.cost;
  const SourcePlace& place = cost.row.empty() ? point.algorithm_place : cost.place;
  planned.cost = text::at(place, [&] {
    return experiment::assumed_cost(cost, point.algorithm, *point.wiring,
                                    experiment::link_facts(experiment));
  });
  const auto pass = schedule::backward_pass(planned.profile);
  planned.schedule =
      names::make_schedule(point.schedule, pass, {.cost = planned.cost, .line = planned.cost});
  planned.timeline = schedule::predict(pass, planned.schedule, planned.cost);
  const auto best = schedule::optimum_affine(pass, planned.cost);
  planned.optimum = schedule::predict(pass, best, planned.cost).iteration;
  return planned;
}

}  // namespace

std::vector<PlannedPoint> plan_points(const experiment::Experiment& experiment) {
  if (!experiment.compute) {
    throw InputError({.file = experiment.file}, "without the key compute there is no training job");
  }
  std::vector<PlannedPoint> points;
  for (const experiment::Point& point : experiment.points)
    points.push_back(plan_point(experiment, point));
  return points;
}

}  // namespace gradwire::run
