#include "harness/simulated/simulated_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "harness/amount.h"
#include "harness/interrupt.h"
#include "harness/policies.h"
#include "harness/report/flags.h"
#include "harness/worker/cost_probe.h"
#include "schedule/timeline.h"
#include "simulator/bound.h"

namespace gradwire::harness {
namespace {

using simulator::Outcome;

/// Rounded up, so that nothing seems faster than it is.
Nanoseconds nanoseconds(double seconds) {
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::ceil(seconds * 1e9 * (1 - 1e-12))));
}

/// Of a single stage: every actor's times.
std::vector<RankIteration> ranks_of(const Outcome& outcome) {
  std::vector<RankIteration> ranks;
  for (const auto& stages : outcome.stages) {
    ranks.push_back(
        {.start = nanoseconds(stages.front().start), .end = nanoseconds(stages.front().end)});
  }
  return ranks;
}

/// Of a training job, whose computing is over after `compute`.
std::vector<RankIteration> ranks_of(const Outcome& outcome, std::span<const double> ready,
                                    Seconds compute) {
  std::vector<RankIteration> ranks;
  for (const auto& stages : outcome.stages) {
    RankIteration rank{.training = RankTraining{.compute_end = nanoseconds(compute.count())}};
    rank.end = std::max(nanoseconds(stages.back().end), rank.training->compute_end);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      rank.training->buckets.push_back({.ready = nanoseconds(ready[i]),
                                        .start = nanoseconds(stages[i].start),
                                        .end = nanoseconds(stages[i].end)});
    }
    ranks.push_back(std::move(rank));
  }
  return ranks;
}

/// When the last gradient of each bucket is ready, in seconds.
std::vector<double> ready_times(const schedule::BackwardPass& pass, const JobPlan& plan) {
  std::vector<double> ready;
  for (const schedule::Bucket& bucket : plan.buckets) {
    const Seconds last = plan.overlaps ? pass.gradients[bucket.end() - 1].ready : pass.end;
    ready.push_back(last.count());
  }
  return ready;
}

/// A burst that passes faster takes no time that one would see.
constexpr double kMostBurstFactor = 64;

}  // namespace

SimulatedRun::SimulatedRun(const Experiment& experiment, std::span<const PreparedPoint> points,
                           RunFolder& folder, Progress& progress, Findings findings,
                           TraceFile* trace)
    : experiment_(experiment),
      points_(points),
      folder_(folder),
      progress_(progress),
      findings_(std::move(findings)),
      trace_(trace) {}

void SimulatedRun::measure() {
  std::optional<FabricError> stuck;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    point_ = &points_[i];
    report(0);
    try {
      simulate_point(i);
    } catch (const FabricError& error) {
      if (stuck) continue;
      stuck.emplace(error.failure(), error.place(),
                    fmt::format("{}: {}", title_of(*point_), error.detail()));
    }
  }
  if (stuck) throw FabricError(*stuck);
}

void SimulatedRun::report(double done) const {
  throw_if_interrupted();
  const auto number = static_cast<double>(point_ - points_.data());
  progress_.update(static_cast<std::size_t>((number + done) * kSteps),
                   "simulating " + title_of(*point_));
}

void SimulatedRun::simulate_point(std::size_t number) {
  const PreparedPoint& point = points_[number];
  const SimulatedWiring wiring(point,
                               {.every_rank = trace_ != nullptr || !experiment_.failures.empty()});
  JobRecord record;
  Sample sample = point.training ? simulate_training(wiring, record)
                                 : simulate_synchronization(wiring, record.bound);
  sample.flags = wiring.flags();
  if (!experiment_.failures.empty()) sample.flags.emplace_back(kFlagOutage);
  folder_.append(sample);
  Row row = make_row(std::span(&sample, 1), record.bound);
  if (row.training) {
    row.training->profile = workloads::provenance(point.training->profile);
    row.training->cost = record.cost;
    row.training->predicted = record.predicted;
    row.training->jct *= static_cast<double>(experiment_.iterations);
  }
  rows_.push_back(std::move(row));
}

Sample SimulatedRun::simulate_synchronization(const SimulatedWiring& wiring, Seconds& bound) {
  std::vector<Plan> plans = wiring.plans(wiring.amount());
  bound = bound_of(wiring, plans);
  const Outcome outcome =
      checked(simulate(wiring.fabric(), std::move(plans), model(), options(wiring.fabric())));
  Sample sample{.configuration = point_->configuration};
  std::vector<RankIteration> ranks = ranks_of(outcome);
  for (const RankIteration& rank : ranks) sample.ranks.push_back({rank.start, rank.end});
  trace(outcome, std::move(ranks));
  return sample;
}

Sample SimulatedRun::simulate_training(const SimulatedWiring& wiring, JobRecord& record) {
  JobPlan chosen;
  std::vector<StagedPlan> staged;
  record = plan_training(wiring, chosen, staged);
  const schedule::BackwardPass& pass = point_->training->pass;
  const std::vector<double> ready = ready_times(pass, chosen);
  const Outcome outcome =
      checked(simulate(wiring.fabric(), staged, ready, model(), options(wiring.fabric())));
  Sample sample{.configuration = point_->configuration};
  std::vector<RankIteration> ranks = ranks_of(outcome, ready, pass.end);
  for (const RankIteration& rank : ranks) sample.ranks.push_back({rank.start, rank.end});
  sample.training = training_sample(record, ranks);
  trace(outcome, std::move(ranks));
  return sample;
}

JobRecord SimulatedRun::plan_training(const SimulatedWiring& wiring, JobPlan& chosen,
                                      std::vector<StagedPlan>& staged) {
  const PreparedTraining& training = *point_->training;
  JobRecord record{.cost = measured_cost(probe(wiring))};
  const CostModel cost = cost_model(record.cost);
  const schedule::Schedule buckets =
      make_schedule(point_->point.schedule_spec, training.pass, cost);
  chosen = {.buckets = buckets.buckets, .overlaps = buckets.overlaps};
  std::vector<std::vector<Plan>> stages(wiring.fabric().actors());
  for (const schedule::Bucket& bucket : chosen.buckets) {
    const BucketAmount part = amount_of(training.profile, bucket);
    std::vector<Plan> plans = wiring.plans(part.amount);
    record.bound += bound_of(wiring, plans);
    record.bucket_elements.push_back(part.amount.elements);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      stages[i].push_back(shifted(std::move(plans[i]), part.first));
    }
  }
  for (auto& plans : stages) staged.push_back(in_stages(std::move(plans)));
  // With per-tensor placement a size says nothing about its cost.
  if (!is_per_tensor(point_->point.algorithm_spec)) {
    record.predicted = schedule::predict(training.pass, buckets, cost.cost);
  }
  return record;
}

std::vector<schedule::CostPoint> SimulatedRun::probe(const SimulatedWiring& wiring) const {
  std::vector<schedule::CostPoint> points;
  for (const std::size_t size : probe_sizes(wiring.amount().elements)) {
    const Amount amount{.elements = size, .tensors = {{.first = 0, .count = size}}};
    const simulator::SimulationOptions options{.progress = [](double) { throw_if_interrupted(); }};
    const Outcome outcome =
        checked(simulate(wiring.fabric(), wiring.plans(amount), model(), options));
    points.push_back(
        {.bytes = static_cast<double>(size * sizeof(float)), .time = Seconds(outcome.end_of(0))});
  }
  return points;
}

simulator::NetworkModel SimulatedRun::model() const {
  const auto found = findings_.find(point_->point.wiring);
  const LinkFindings links = found == findings_.end() ? LinkFindings{} : found->second;
  const Seconds alpha = experiment_.startup + links.startup;
  return {.rate = payload_rate(experiment_).bytes_per_second(),
          .alpha = alpha.count(),
          .delay = experiment_.delay.count(),
          .gamma = experiment_.cost.gamma,
          .burst = links.burst_factor > 1 ? links.burst : 0,
          .burst_factor = std::min(links.burst_factor, kMostBurstFactor)};
}

simulator::SimulationOptions SimulatedRun::options(const simulator::Fabric& fabric) const {
  simulator::SimulationOptions options{.record = trace_ != nullptr};
  for (const PlannedFailure& failure : experiment_.failures) {
    simulator::Outage outage{.from = Seconds(failure.at).count()};
    for (const LinkId cable : cables_of(failure, fabric.topology())) {
      outage.links.push_back(2 * cable.index());
      outage.links.push_back(2 * cable.index() + 1);
    }
    outage.what = describe(failure, fabric.topology());
    if (failure.until) outage.until = Seconds(*failure.until).count();
    options.outages.push_back(std::move(outage));
  }
  options.progress = [this](double done) { report(done); };
  return options;
}

Seconds SimulatedRun::bound_of(const SimulatedWiring& wiring, std::span<const Plan> plans) const {
  const double bytes = simulator::step_bound(wiring.fabric(), plans) * sizeof(float);
  return time_to_send(bytes, payload_rate(experiment_));
}

Outcome SimulatedRun::checked(Outcome outcome) const {
  constexpr double kLongest = 1e9;  // seconds: 32 years
  for (const auto& stages : outcome.stages) {
    if (stages.back().end <= kLongest) continue;
    throw InputError(point_->point.algorithm_place,
                     fmt::format("{} takes longer than {:g} s; is a rate, a start-up time, a delay "
                                 "or gamma off?",
                                 title_of(*point_), kLongest));
  }
  return outcome;
}

void SimulatedRun::trace(const Outcome& outcome, std::vector<RankIteration> ranks) const {
  if (trace_ == nullptr) return;
  for (const simulator::SimulatedTransfer& transfer : outcome.transfers) {
    const Operation& operation = transfer.operation;
    ranks.at(transfer.actor)
        .transfers.push_back({.bucket = transfer.stage,
                              .lane = transfer.lane,
                              .step = operation.step,
                              .sends = operation.kind == Operation::Kind::send,
                              .peer = transfer.peer,
                              .elements = operation.extent.count,
                              .posted = nanoseconds(transfer.posted),
                              .done = nanoseconds(transfer.done)});
  }
  trace_->add(*point_, 0, 1, ranks);
}

}  // namespace gradwire::harness
