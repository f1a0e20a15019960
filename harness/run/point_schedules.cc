#include "harness/run/point_schedules.h"

#include "core/text/yaml_reader.h"
#include "harness/run/prepare.h"
#include "schedule/optimum.h"
#include "schedule/policies.h"
#include "topologies/topology.h"

namespace gradwire::run {
namespace {

PointSchedule schedule_point(const experiment::Experiment& experiment,
                             const experiment::Point& point) {
  PointSchedule scheduled{.point = &point, .profile = profile_of(experiment, point).value()};
  if (!experiment.rate.is_limited()) {
    throw InputError(experiment.link_place, "link.rate: unlimited: a plan goes by the rate");
  }
  const experiment::AssumedCost& cost = experiment.cost;
  const SourcePlace& place = cost.row.empty() ? point.places.algorithm : cost.place;
  scheduled.cost = text::at(place, [&] {
    return experiment::assumed_cost(cost, point.task.algorithm ? point.task.algorithm.name() : "",
                                    *point.task.wiring, experiment::link_facts(experiment));
  });
  const auto pass = schedule::backward_pass(scheduled.profile);
  scheduled.schedule = schedule::make_schedule(point.task.schedule, pass,
                                               {.cost = scheduled.cost, .line = scheduled.cost});
  scheduled.timeline = schedule::predict(pass, scheduled.schedule, scheduled.cost);
  const auto best = schedule::optimum_affine(pass, scheduled.cost);
  scheduled.optimum = schedule::predict(pass, best, scheduled.cost).iteration;
  return scheduled;
}

}  // namespace

std::vector<PointSchedule> schedule_points(const experiment::Experiment& experiment) {
  if (!experiment.compute) {
    throw InputError({.file = experiment.file}, "without the key compute there is no training job");
  }
  std::vector<PointSchedule> schedules;
  for (const experiment::Point& point : experiment.points)
    schedules.push_back(schedule_point(experiment, point));
  return schedules;
}

}  // namespace gradwire::run
