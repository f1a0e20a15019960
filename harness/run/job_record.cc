#include "harness/run/job_record.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/amount.h"
#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "results/record/flags.h"
#include "topologies/load.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::run {
namespace {

/// Elements that the most loaded link carries, step after step, per element of a single tensor.
double load_per_element(const PreparedPoint& point, const topologies::Topology& topology) {
  const std::size_t elements = point.configuration.elements;
  const algorithms::Amount whole{.elements = elements,
                                 .tensors = {{.first = 0, .count = elements}}};
  const std::vector<Plan> plans = point.task.algorithm.plans(whole);
  return topologies::step_bound(topology, plans) / static_cast<double>(elements);
}

JobRecord record_peer_job(const PreparedPoint& point, const workers::JobPlan& plan,
                          const topologies::LinkLimits& limits) {
  const algorithms::Peer& peer = *point.task.algorithm.peer();
  const PreparedTraining& training = *point.training;
  JobRecord record{.cost = record::measured_cost(plan.cost)};
  const schedule::Cost cost = record::cost_model(record.cost).cost;
  std::vector<Seconds> times;
  for (const schedule::Bucket& bucket : plan.buckets) {
    const std::size_t elements = algorithms::amount_of(training.profile, bucket).amount.elements;
    record.bounds.push_back(peer.bound(elements, limits));
    record.bucket_elements.push_back(elements);
    record.port_bytes.push_back(peer.least_port_bytes(elements));
    times.push_back(schedule::time_of(cost, static_cast<double>(elements * sizeof(float))));
  }
  record.predicted =
      schedule::predict(training.pass, {.buckets = plan.buckets, .overlaps = plan.overlaps}, times);
  return record;
}

}  // namespace

JobRecord record_job(const PreparedPoint& point, const workers::JobPlan& plan,
                     const topologies::LinkLimits& limits) {
  if (!point.task.algorithm.has_plans()) return record_peer_job(point, plan, limits);
  const PreparedTraining& training = *point.training;
  const topologies::Topology* const topology = point.task.wiring.get();
  JobRecord record{.cost = record::measured_cost(plan.cost)};
  const schedule::Cost cost = record::cost_model(record.cost).cost;
  const double single = load_per_element(point, *topology);
  const Dtype type = point.configuration.type;
  std::vector<std::vector<Plan>> stages(topology->hosts());
  std::vector<Seconds> times;
  for (const schedule::Bucket& bucket : plan.buckets) {
    const algorithms::BucketAmount part = algorithms::amount_of(training.profile, bucket);
    auto plans = point.task.algorithm.proven_plans(part.amount);
    record.bounds.push_back(algorithms::bound_of(*topology, plans, limits, type));
    record.bucket_elements.push_back(part.amount.elements);
    record.port_bytes.push_back(busiest_port_bytes(plans, type));
    const double alike = single > 0 ? topologies::step_bound(*topology, plans) / single : 0;
    times.push_back(schedule::time_of(cost, alike * static_cast<double>(size_of(type))));
    for (std::size_t i = 0; i < plans.size(); ++i) {
      stages[i].push_back(shifted(std::move(plans[i]), part.first));
    }
  }
  for (auto& plans : stages) record.plans.push_back(in_stages(std::move(plans)).plan);
  record.predicted =
      schedule::predict(training.pass, {.buckets = plan.buckets, .overlaps = plan.overlaps}, times);
  return record;
}

Seconds total(std::span<const Seconds> times) {
  return std::accumulate(times.begin(), times.end(), Seconds(0));
}

record::TrainingPlan plan_of(const JobRecord& record, const PreparedTraining& training) {
  return {.profile = workloads::provenance(training.profile),
          .cost = record.cost,
          .predicted = record.predicted};
}

record::TrainingSample training_sample(const JobRecord& record,
                                       std::span<const record::RankIteration> ranks) {
  Nanoseconds start = Nanoseconds::min();
  for (const record::RankIteration& rank : ranks) start = std::max(start, rank.start);
  record::TrainingSample sample;
  for (const std::uint64_t elements : record.bucket_elements) {
    sample.buckets.push_back({.elements = elements,
                              .ready = Nanoseconds::min(),
                              .start = Nanoseconds::min(),
                              .end = Nanoseconds::min()});
  }
  for (const record::RankIteration& rank : ranks) {
    ensure(rank.training && rank.training->buckets.size() == sample.buckets.size(),
           "every rank reports every bucket");
    sample.compute = std::max(sample.compute, rank.training->compute_end - start);
    for (std::size_t i = 0; i < sample.buckets.size(); ++i) {
      const record::RankBucket& bucket = rank.training->buckets[i];
      record::BucketSample& last = sample.buckets[i];
      last.ready = std::max(last.ready, bucket.ready - start);
      last.start = std::max(last.start, bucket.start - start);
      last.end = std::max(last.end, bucket.end - start);
    }
  }
  return sample;
}

std::vector<std::string> training_flags(const PreparedTraining& training,
                                        const record::TrainingSample& sample, double dilation,
                                        std::span<const record::RankIteration> ranks) {
  std::vector<std::string> flags;
  const Seconds computed = Seconds(sample.compute) / dilation;
  if (computed > (1 + record::kLateShare) * training.pass.end)
    flags.emplace_back(record::kFlagLateCompute);
  std::set<std::uint64_t> digests;
  for (const record::RankIteration& rank : ranks) {
    if (rank.training->parameters != 0) digests.insert(rank.training->parameters);
  }
  if (digests.size() > 1) flags.emplace_back(record::kFlagDiverged);
  return flags;
}

}  // namespace gradwire::run
