#include "harness/run/simulated/simulated_backing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "harness/names/amount.h"
#include "harness/names/policies.h"
#include "harness/workers/interrupt.h"
#include "harness/workers/rank/cost_probe.h"
#include "results/record/flags.h"
#include "schedule/timeline.h"
#include "simulator/bound.h"

namespace gradwire::run {
namespace {

using simulator::Outcome;

/// Rounded up, so that nothing seems faster than it is.
Nanoseconds nanoseconds(double seconds) {
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::ceil(seconds * 1e9 * (1 - 1e-12))));
}

/// Of a single stage: every actor's times.
std::vector<record::RankIteration> ranks_of(const Outcome& outcome) {
  std::vector<record::RankIteration> ranks;
  for (const auto& stages : outcome.stages) {
    ranks.push_back(
        {.start = nanoseconds(stages.front().start), .end = nanoseconds(stages.front().end)});
  }
  return ranks;
}

/// Of a training job, whose computing is over after `compute`.
std::vector<record::RankIteration> ranks_of(const Outcome& outcome, std::span<const double> ready,
                                            Seconds compute) {
  std::vector<record::RankIteration> ranks;
  for (const auto& stages : outcome.stages) {
    record::RankIteration rank{
        .training = record::RankTraining{.compute_end = nanoseconds(compute.count())}};
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
std::vector<double> ready_times(const schedule::BackwardPass& pass, const workers::JobPlan& plan) {
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

SimulatedBacking::SimulatedBacking(SimulatedContext context)
    : context_(std::move(context)), records_(context_.experiment, context_.folder.session()) {}

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
  workers::throw_if_interrupted();
  const auto number = static_cast<double>(point_ - context_.points.data());
  context_.progress.update(static_cast<std::size_t>((number + done) * kSteps),
                           "simulating " + title_of(*point_));
}

void SimulatedBacking::simulate_point() {
  const PreparedPoint& point = *point_;
  const SimulatedWiring wiring(
      point, {.every_rank = context_.trace != nullptr || !context_.experiment.failures.empty()});
  Simulated simulated =
      point.training ? simulate_training(wiring) : simulate_synchronization(wiring);
  simulated.sample.key = point.key;
  simulated.sample.session = context_.folder.session();
  simulated.sample.flags = wiring.flags();
  if (!context_.experiment.failures.empty())
    simulated.sample.flags.emplace_back(record::kFlagOutage);
  context_.folder.begin(records_.of(point, 1, simulated.bound, std::move(simulated.plan)));
  context_.folder.append(simulated.sample);
  context_.folder.keep(record::Timeline{.key = point.key,
                                        .session = context_.folder.session(),
                                        .ranks = record::first_ranks(std::move(simulated.ranks))});
}

SimulatedBacking::Simulated SimulatedBacking::simulate_synchronization(
    const SimulatedWiring& wiring) {
  std::vector<Plan> plans = wiring.plans(wiring.amount());
  Simulated simulated{.sample = {.configuration = point_->configuration},
                      .bound = bound_of(wiring, plans)};
  const auto settings = options(wiring.fabric(), record::count_transfers(plans));
  const Outcome outcome = checked(simulate(wiring.fabric(), std::move(plans), model(), settings));
  simulated.ranks = ranks_of(outcome);
  take(outcome, simulated);
  return simulated;
}

SimulatedBacking::Simulated SimulatedBacking::simulate_training(const SimulatedWiring& wiring) {
  workers::JobPlan chosen;
  std::vector<StagedPlan> staged;
  const JobRecord record = plan_training(wiring, chosen, staged);
  const schedule::BackwardPass& pass = point_->training->pass;
  const std::vector<double> ready = ready_times(pass, chosen);
  std::size_t transfers = 0;
  for (const StagedPlan& plan : staged)
    transfers += record::count_transfers(std::span(&plan.plan, 1));
  const Outcome outcome = checked(
      simulate(wiring.fabric(), staged, ready, model(), options(wiring.fabric(), transfers)));
  Simulated simulated{.sample = {.configuration = point_->configuration},
                      .bound = record.bound,
                      .plan = plan_of(record, *point_->training),
                      .ranks = ranks_of(outcome, ready, pass.end)};
  simulated.sample.training = training_sample(record, simulated.ranks);
  take(outcome, simulated);
  return simulated;
}

JobRecord SimulatedBacking::plan_training(const SimulatedWiring& wiring, workers::JobPlan& chosen,
                                          std::vector<StagedPlan>& staged) {
  const PreparedTraining& training = *point_->training;
  JobRecord record{.cost = record::measured_cost(probe(wiring))};
  const schedule::CostModel cost = record::cost_model(record.cost);
  const schedule::Schedule buckets =
      names::make_schedule(point_->point.schedule, training.pass, cost);
  chosen = {.buckets = buckets.buckets, .overlaps = buckets.overlaps};
  std::vector<std::vector<Plan>> stages(wiring.fabric().actors());
  for (const schedule::Bucket& bucket : chosen.buckets) {
    const names::BucketAmount part = names::amount_of(training.profile, bucket);
    std::vector<Plan> plans = wiring.plans(part.amount);
    record.bound += bound_of(wiring, plans);
    record.bucket_elements.push_back(part.amount.elements);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      stages[i].push_back(shifted(std::move(plans[i]), part.first));
    }
  }
  for (auto& plans : stages) staged.push_back(in_stages(std::move(plans)));
  // With per-tensor placement a size says nothing about its cost.
  if (!names::is_per_tensor(point_->point.algorithm)) {
    record.predicted = schedule::predict(training.pass, buckets, cost.cost);
  }
  return record;
}

std::vector<schedule::CostPoint> SimulatedBacking::probe(const SimulatedWiring& wiring) const {
  std::vector<schedule::CostPoint> points;
  for (const std::size_t size : workers::probe_sizes(wiring.amount().elements)) {
    const names::Amount amount{.elements = size, .tensors = {{.first = 0, .count = size}}};
    const simulator::SimulationOptions options{
        .progress = [](double) { workers::throw_if_interrupted(); }};
    const Outcome outcome =
        checked(simulate(wiring.fabric(), wiring.plans(amount), model(), options));
    points.push_back(
        {.bytes = static_cast<double>(size * sizeof(float)), .time = Seconds(outcome.end_of(0))});
  }
  return points;
}

simulator::NetworkModel SimulatedBacking::model() const {
  const auto found = context_.findings.find(point_->configuration.wiring);
  const LinkFinding links = found == context_.findings.end() ? LinkFinding{} : found->second;
  const Seconds alpha = context_.experiment.startup + links.startup;
  return {.rate = experiment::payload_rate(context_.experiment).bytes_per_second(),
          .alpha = alpha.count(),
          .delay = context_.experiment.delay.count(),
          .gamma = context_.experiment.cost.gamma,
          .burst = links.burst_factor > 1 ? links.burst : 0,
          .burst_factor = std::min(links.burst_factor, kMostBurstFactor)};
}

simulator::SimulationOptions SimulatedBacking::options(const simulator::Fabric& fabric,
                                                       std::size_t transfers) const {
  simulator::SimulationOptions options{.record = context_.trace != nullptr ||
                                                 transfers <= record::kMostTransfers};
  for (const experiment::PlannedFailure& failure : context_.experiment.failures) {
    simulator::Outage outage{.from = Seconds(failure.at).count()};
    for (const LinkId cable : experiment::cables_of(failure, fabric.topology())) {
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

Seconds SimulatedBacking::bound_of(const SimulatedWiring& wiring,
                                   std::span<const Plan> plans) const {
  const double bytes = simulator::step_bound(wiring.fabric(), plans) * sizeof(float);
  return time_to_send(bytes, experiment::payload_rate(context_.experiment));
}

Outcome SimulatedBacking::checked(Outcome outcome) const {
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

void SimulatedBacking::take(const Outcome& outcome, Simulated& simulated) const {
  for (const record::RankIteration& rank : simulated.ranks) {
    simulated.sample.ranks.push_back({rank.start, rank.end});
  }
  for (const simulator::SimulatedTransfer& transfer : outcome.transfers) {
    const Operation& operation = transfer.operation;
    simulated.ranks.at(transfer.actor)
        .transfers.push_back({.bucket = transfer.stage,
                              .lane = transfer.lane,
                              .step = operation.step,
                              .sends = operation.kind == Operation::Kind::send,
                              .peer = transfer.peer,
                              .elements = operation.extent.count,
                              .posted = nanoseconds(transfer.posted),
                              .done = nanoseconds(transfer.done)});
  }
  if (context_.trace != nullptr) context_.trace->add(traced(*point_), 0, 1, simulated.ranks);
}

}  // namespace gradwire::run
