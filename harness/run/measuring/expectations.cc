#include "harness/run/measuring/expectations.h"

#include <algorithm>
#include <utility>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "harness/run/simulated/point_simulation.h"
#include "results/record/gst.h"
#include "results/record/statistics.h"
#include "topologies/topology.h"
#include "workloads/workload.h"

namespace gradwire::run {
namespace {

/// Bounds of the stages of a step in hybrid parallelism: the ranks wait for each other between its
/// stages, so the bursts of links come back.
std::vector<Seconds> stage_bounds(const PreparedPoint& point,
                                  const topologies::LinkLimits& limits) {
  const record::Configuration& c = point.configuration;
  const topologies::Topology& topology = *point.task.wiring;
  const algorithms::Algorithm& algorithm = point.task.algorithm;
  const algorithms::Amount amount = algorithm.amount_of(point.task.workload);
  std::vector<std::vector<Plan>> stages;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    auto plans = algorithm.stages(Rank(i), amount);
    stages.resize(plans.size());
    for (std::size_t stage = 0; stage < plans.size(); ++stage) {
      stages[stage].push_back(std::move(plans[stage]));
    }
  }
  std::vector<Seconds> bounds;
  for (const std::vector<Plan>& plans : stages) {
    bounds.push_back(algorithms::bound_of(topology, plans, limits, c.type));
  }
  return bounds;
}

/// Whether ranks compute with real numbers between the stages of hybrid parallelism.
bool trains_between_stages(const PreparedPoint& point) {
  const workloads::Hybrid* const hybrid = point.task.workload.hybrid();
  return hybrid != nullptr && hybrid->network.has_value();
}

}  // namespace

std::vector<Seconds> bounds_of(const PreparedPoint& point, const std::optional<JobRecord>& job,
                               const topologies::LinkLimits& limits) {
  if (!point.bound) return {};
  if (job) return job->bounds;
  if (const algorithms::Peer* const peer = point.task.algorithm.peer()) {
    return {peer->bound(point.configuration.elements, limits)};
  }
  if (trains_between_stages(point)) return stage_bounds(point, limits);
  return {algorithms::bound_of(*point.task.wiring, point.plans, limits, point.configuration.type)};
}

std::optional<Seconds> predict_gst(const experiment::Experiment& experiment,
                                   const PreparedPoint& point, const LinkFinding& links,
                                   const std::optional<workers::JobPlan>& job) {
  if (!point.task.algorithm.has_plans() || !experiment.rate.is_limited()) return std::nullopt;
  if (trains_between_stages(point)) return std::nullopt;
  try {
    PointSimulation simulation(experiment, point, {.links = links, .job = job});
    const std::size_t buckets = job ? job->buckets.size() : 1;
    if (simulation.messages_per_bucket() * buckets > kMostPredictedMessages) return std::nullopt;
    return record::gst(simulation.run().sample);
  } catch (const InputError&) {  // more messages than memory has room for
    return std::nullopt;
  }
}

bool has_latency_of_software(const experiment::Experiment& experiment, const PreparedPoint& point) {
  return experiment.startup == Seconds(0) && point.task.algorithm.has_plans() &&
         !point.task.algorithm.is_per_tensor();
}

Seconds software_latency(workers::Session& session, workers::Job job) {
  constexpr std::size_t kRuns = 5;
  constexpr std::size_t kEach = 4;  // elements of every part that an algorithm divides into
  experiment::Task& task = job.task;
  const std::size_t ports = task.wiring->hosts() * task.wiring->ports_per_host();
  const std::size_t elements = std::min(amount_of(job).elements, kEach * ports);
  job.training.reset();
  task.algorithm = task.algorithm.for_elements();
  task.workload = workloads::Workload(workloads::Elements{elements});
  const workers::Session::Assigned assigned = session.assign(std::move(job));
  std::vector<double> times;
  for (std::size_t i = 0; i <= kRuns; ++i) {
    Nanoseconds start = Nanoseconds::min();
    Nanoseconds end = Nanoseconds::min();
    for (const record::RankIteration& rank :
         session.iterate(assigned, {.iteration = i}, Nanoseconds(0))) {
      start = std::max(start, rank.start);
      end = std::max(end, rank.end);
    }
    if (i > 0) times.push_back(std::max(0.0, Seconds(end - start).count()));  // 0 warms up
  }
  session.finish(assigned);
  return Seconds(record::summarize(times).median);
}

}  // namespace gradwire::run
