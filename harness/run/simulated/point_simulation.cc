#include "harness/run/simulated/point_simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "collectives/algorithms/amount.h"
#include "core/count.h"
#include "harness/run/head_start.h"
#include "harness/workers/interrupt.h"
#include "harness/workers/rank/cost_probe.h"
#include "results/record/flags.h"
#include "results/record/timeline.h"
#include "schedule/policies.h"
#include "schedule/timeline.h"
#include "simulator/bound.h"
#include "simulator/incast.h"
#include "testbed/shape.h"

namespace gradwire::run {
namespace {

using simulator::Outcome;

/// When something is over. Rounded up, so that nothing seems faster than it is.
Nanoseconds nanoseconds(double seconds) {
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::ceil(seconds * 1e9 * (1 - 1e-12))));
}

/// When something begins: rounded down for the same reason.
Nanoseconds begun(double seconds) {
  return Nanoseconds(static_cast<Nanoseconds::rep>(std::floor(seconds * 1e9 * (1 + 1e-12))));
}

/// Times of every actor in a single stage.
std::vector<record::RankIteration> ranks_of(const Outcome& outcome) {
  std::vector<record::RankIteration> ranks;
  for (const auto& stages : outcome.stages) {
    ranks.push_back({.start = begun(stages.front().start), .end = nanoseconds(stages.front().end)});
  }
  return ranks;
}

/// Times of every actor in a training job whose buckets may be sent from `ready` on, in seconds,
/// and whose computing is over after `compute`.
std::vector<record::RankIteration> ranks_of(const Outcome& outcome, std::span<const double> ready,
                                            Seconds compute) {
  std::vector<record::RankIteration> ranks;
  for (const auto& stages : outcome.stages) {
    record::RankIteration rank{
        .training = record::RankTraining{.compute_end = nanoseconds(compute.count())}};
    rank.end = std::max(nanoseconds(stages.back().end), rank.training->compute_end);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      rank.training->buckets.push_back({.ready = nanoseconds(ready[i]),
                                        .start = begun(stages[i].start),
                                        .end = nanoseconds(stages[i].end)});
    }
    ranks.push_back(std::move(rank));
  }
  return ranks;
}

/// Packets that TCP sends before it hears of the first (RFC 6928).
constexpr std::size_t kFirstWindowPackets = 10;

/// A burst that passes faster takes no time that one would see.
constexpr double kMostBurstFactor = 64;

}  // namespace

PointSimulation::PointSimulation(const experiment::Experiment& experiment,
                                 const PreparedPoint& point, Options options)
    : experiment_(experiment),
      point_(point),
      options_(std::move(options)),
      wiring_(point, {.every_rank = options_.trace != nullptr || !experiment.failures.empty() ||
                                    options_.links.sockets}) {}

std::uint64_t PointSimulation::messages_per_bucket() const {
  return wiring_.messages_per_bucket();
}

SimulatedIteration PointSimulation::run() {
  SimulatedIteration iteration = point_.training ? train() : synchronize();
  iteration.sample.key = point_.key;
  iteration.limits = {.payload = experiment::payload_rate(experiment_), .burst = model().burst};
  std::ranges::copy(wiring_.flags(), std::back_inserter(iteration.sample.flags));
  if (!experiment_.failures.empty()) iteration.sample.flags.emplace_back(record::kFlagOutage);
  return iteration;
}

SimulatedIteration PointSimulation::synchronize() const {
  std::vector<Plan> plans = wiring_.plans(wiring_.amount());
  SimulatedIteration iteration{.sample = {.configuration = point_.configuration},
                               .bounds = {bound_of(plans)}};
  if (is_incast(plans)) iteration.sample.flags.emplace_back(record::kFlagIncast);
  const auto settings = settings_for(record::count_transfers(plans));
  const Outcome outcome = checked(simulate(wiring_.fabric(), std::move(plans), model(), settings));
  iteration.ranks = ranks_of(outcome);
  take(outcome, iteration);
  return iteration;
}

SimulatedIteration PointSimulation::train() const {
  TrainingJob job = plan_training();
  std::size_t transfers = 0;
  std::vector<double> ready;
  for (const simulator::Stage& stage : job.stages) {
    transfers += record::count_transfers(stage.plans);
    ready.push_back(stage.ready);
  }
  Outcome outcome =
      checked(simulate(wiring_.fabric(), std::move(job.stages), model(), settings_for(transfers)));
  for (simulator::SimulatedTransfer& transfer : outcome.transfers) {
    transfer.operation.step += job.first_steps[transfer.actor][transfer.stage];
  }
  SimulatedIteration iteration{.sample = {.configuration = point_.configuration},
                               .bounds = job.record.bounds,
                               .plan = plan_of(job.record, *point_.training),
                               .ranks = ranks_of(outcome, ready, point_.training->pass.end)};
  if (job.is_incast) iteration.sample.flags.emplace_back(record::kFlagIncast);
  iteration.sample.training = training_sample(job.record, iteration.ranks);
  iteration.sample.head_start = head_start(iteration.ranks, job.record.bounds, 1);
  take(outcome, iteration);
  return iteration;
}

PointSimulation::TrainingJob PointSimulation::plan_training() const {
  const PreparedTraining& training = *point_.training;
  TrainingJob job{
      .record = {.cost = record::measured_cost(options_.job ? options_.job->cost : probe())}};
  const schedule::CostModel cost = record::cost_model(job.record.cost);
  const schedule::Schedule buckets =
      options_.job
          ? schedule::Schedule{.buckets = options_.job->buckets, .overlaps = options_.job->overlaps}
          : schedule::make_schedule(point_.task.schedule, training.pass, cost);
  std::vector<std::size_t> steps(wiring_.fabric().actors());
  job.first_steps.resize(steps.size());
  for (std::size_t bucket = 0; bucket < buckets.buckets.size(); ++bucket) {
    const algorithms::Amount amount =
        algorithms::amount_of(training.profile, buckets.buckets[bucket]).amount;
    std::vector<Plan> plans = wiring_.plans(amount);
    job.record.bounds.push_back(bound_of(plans));
    job.is_incast = job.is_incast || is_incast(plans);
    job.record.bucket_elements.push_back(amount.elements);
    for (std::size_t actor = 0; actor < plans.size(); ++actor) {
      job.first_steps[actor].push_back(steps[actor]);
      steps[actor] += step_count(plans[actor]);
    }
    job.stages.push_back({.plans = std::move(plans),
                          .ready = schedule::sendable(training.pass, buckets, bucket).count()});
  }
  // With per-tensor placement a size says nothing about its cost.
  if (!point_.task.algorithm.is_per_tensor()) {
    job.record.predicted = schedule::predict(training.pass, buckets, cost.cost);
  }
  return job;
}

std::vector<schedule::TimedSize> PointSimulation::probe() const {
  std::vector<schedule::TimedSize> points;
  for (const std::size_t size : workers::probe_sizes(wiring_.amount().elements)) {
    const algorithms::Amount amount{.elements = size, .tensors = {{.first = 0, .count = size}}};
    const simulator::SimulationOptions settings{
        .progress = [](double) { workers::heed_signals(); }};
    const Outcome outcome =
        checked(simulate(wiring_.fabric(), wiring_.plans(amount), model(), settings));
    points.push_back(
        {.bytes = static_cast<double>(size * sizeof(float)), .time = Seconds(outcome.end_of(0))});
  }
  return points;
}

simulator::NetworkModel PointSimulation::model() const {
  const LinkFinding& links = options_.links;
  const Seconds alpha = experiment_.startup + links.startup;
  const auto sockets = experiment_.failures.empty() ? links.sockets : std::nullopt;
  double burst = links.burst_factor > 1 ? links.burst : 0;
  // Queues count payload, and pass a burst at once.
  if (sockets) burst = links.burst * testbed::payload_fraction(experiment_.mtu);
  return {.rate = experiment::payload_rate(experiment_).bytes_per_second(),
          .alpha = alpha.count(),
          .delay = experiment_.delay.count(),
          .gamma = experiment_.cost.gamma,
          .element_bytes = static_cast<double>(size_of(point_.configuration.type)),
          .burst = burst,
          .burst_factor = std::min(links.burst_factor, kMostBurstFactor),
          .sockets = sockets};
}

simulator::SimulationOptions PointSimulation::settings_for(std::size_t transfers) const {
  simulator::SimulationOptions settings{.record = options_.trace != nullptr ||
                                                  transfers <= record::kMostTransfers};
  const topologies::Topology& topology = wiring_.fabric().topology();
  for (const experiment::PlannedFailure& failure : experiment_.failures) {
    simulator::Outage outage{.from = Seconds(failure.at).count()};
    for (const LinkId cable : experiment::cables_of(failure, topology)) {
      outage.links.push_back(2 * cable.index());
      outage.links.push_back(2 * cable.index() + 1);
    }
    outage.what = describe(failure, topology);
    if (failure.until) outage.until = Seconds(*failure.until).count();
    settings.outages.push_back(std::move(outage));
  }
  settings.progress = [this](double done) {
    workers::heed_signals();
    if (options_.progress) options_.progress(done);
  };
  return settings;
}

Seconds PointSimulation::bound_of(std::span<const Plan> plans) const {
  const auto each = static_cast<double>(size_of(point_.configuration.type));
  const double burst = model().burst / each;
  const double bytes = simulator::least_time(wiring_.fabric(), plans, burst) * each;
  return time_to_send(bytes, experiment::payload_rate(experiment_));
}

bool PointSimulation::is_incast(std::span<const Plan> plans) const {
  if (experiment_.fabric.is_lossless) return false;
  const auto window = static_cast<double>(kFirstWindowPackets * experiment_.mtu);
  const auto each = static_cast<double>(size_of(point_.configuration.type));
  return std::ranges::any_of(plans, [&](const Plan& plan) {
    return simulator::largest_onrush(plan, window, each) >
           static_cast<double>(experiment_.fabric.buffer);
  });
}

Outcome PointSimulation::checked(Outcome outcome) const {
  constexpr double kLongest = 1e9;  // seconds: 32 years
  for (const auto& stages : outcome.stages) {
    if (stages.back().end <= kLongest) continue;
    throw InputError(point_.places.algorithm,
                     fmt::format("{} takes longer than {:g} s; is a rate, a start-up time, a delay "
                                 "or gamma off?",
                                 title_of(point_), kLongest));
  }
  return outcome;
}

void PointSimulation::take(const Outcome& outcome, SimulatedIteration& iteration) const {
  for (const record::RankIteration& rank : iteration.ranks) {
    iteration.sample.ranks.push_back({rank.start, rank.end});
  }
  for (const simulator::SimulatedTransfer& transfer : outcome.transfers) {
    const Operation& operation = transfer.operation;
    iteration.ranks.at(transfer.actor)
        .transfers.push_back({.bucket = transfer.stage,
                              .lane = transfer.lane,
                              .step = operation.step,
                              .sends = operation.kind == Operation::Kind::send,
                              .peer = transfer.peer,
                              .elements = operation.extent.count,
                              .posted = nanoseconds(transfer.posted),
                              .done = nanoseconds(transfer.done)});
  }
  if (options_.trace != nullptr) options_.trace->add(traced(point_), 0, 1, iteration.ranks);
}

}  // namespace gradwire::run
