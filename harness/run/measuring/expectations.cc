#include "harness/run/measuring/expectations.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "harness/names/algorithms.h"
#include "harness/names/amount.h"
#include "harness/names/hybrid.h"
#include "harness/names/peer_algorithms.h"
#include "harness/run/simulated/point_simulation.h"
#include "results/record/gst.h"
#include "results/record/statistics.h"
#include "topologies/topology.h"
#include "workloads/hybrid.h"

namespace gradwire::run {
namespace {

/// Of a step of training in hybrid parallelism: the ranks wait for each other between its stages, so the
/// bursts of links come back.
std::vector<Seconds> stage_bounds(const PreparedPoint& point, const names::LinkLimits& limits) {
  const record::Configuration& c = point.configuration;
  const topologies::Topology& topology = *point.point.wiring;
  const names::Amount amount = names::amount_of(c.workload, c.elements);
  std::vector<std::vector<Plan>> stages;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    auto plans = names::hybrid_stages(point.point.algorithm, topology, Rank(i), amount);
    stages.resize(plans.size());
    for (std::size_t stage = 0; stage < plans.size(); ++stage) {
      stages[stage].push_back(std::move(plans[stage]));
    }
  }
  std::vector<Seconds> bounds;
  for (const std::vector<Plan>& plans : stages) {
    bounds.push_back(names::bound_of(topology, plans, limits, c.type));
  }
  return bounds;
}

}  // namespace

std::vector<Seconds> bounds_of(const PreparedPoint& point, const std::optional<JobRecord>& job,
                               const names::LinkLimits& limits) {
  if (!point.bound) return {};
  if (job) return job->bounds;
  if (is_peer(point)) return {names::peer_bound(peer_call(point), limits)};
  if (workloads::computes_hybrid(point.configuration.workload)) return stage_bounds(point, limits);
  return {names::bound_of(*point.point.wiring, point.plans, limits, point.configuration.type)};
}

std::optional<Seconds> predict_gst(const experiment::Experiment& experiment,
                                   const PreparedPoint& point, const LinkFinding& links,
                                   const std::optional<workers::JobPlan>& job) {
  if (is_peer(point) || !experiment.rate.is_limited()) return std::nullopt;
  if (workloads::computes_hybrid(point.configuration.workload)) return std::nullopt;
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
  return experiment.startup == Seconds(0) && !is_peer(point) &&
         !names::is_per_tensor(point.point.algorithm);
}

Seconds software_latency(workers::Session& session, workers::Job job) {
  constexpr std::size_t kRuns = 5;
  constexpr std::size_t kEach = 4;  // elements of every part that an algorithm divides into
  job.workload.clear();
  job.training.reset();
  job.elements = std::min(job.elements, kEach * job.wiring->hosts() * job.wiring->ports_per_host());
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
