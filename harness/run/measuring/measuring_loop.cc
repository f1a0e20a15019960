#include "harness/run/measuring/measuring_loop.h"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "collectives/algorithms/peer.h"
#include "harness/run/head_start.h"
#include "harness/run/measuring/stragglers.h"
#include "harness/workers/interrupt.h"
#include "results/record/dense_sample.h"
#include "results/record/flags.h"

namespace gradwire::run {
namespace {

Nanoseconds nanoseconds(Seconds seconds) {
  return std::chrono::duration_cast<Nanoseconds>(seconds);
}

}  // namespace

MeasuringLoop::MeasuringLoop(const MeasuringContext& context, double dilation)
    : experiment_(context.experiment),
      points_(context.points),
      folder_(context.folder),
      progress_(context.progress),
      clock_(context.clock),
      resumption_(context.resumption),
      records_(context.experiment, context.folder.attempt()),
      dilation_(dilation),
      tracing_(context.tracing) {
  if (experiment_.max_time) deadline_.emplace(clock_, *experiment_.max_time);
}

void MeasuringLoop::measure(const Wirings& wirings) try {
  wirings_ = &wirings;
  const std::size_t each = experiment_.interleave ? points_.size() : 1;
  for (std::size_t i = 0; i < points_.size(); i += each) measure_group(points_.subspan(i, each));
  mpi_sessions_.clear();
} catch (...) {
  mpi_sessions_.clear();  // before the wirings that they stand on
  throw;
}

template <class Call>
std::invoke_result_t<Call> MeasuringLoop::naming(const PreparedPoint& point, Call call) const try {
  return call();
} catch (const FabricError& failure) {
  if (points_.size() == 1) throw;
  throw FabricError(failure.failure(), failure.place(),
                    fmt::format("{}; while measuring {}", failure.detail(), title_of(point)));
}

void MeasuringLoop::measure_group(std::span<const PreparedPoint> group) {
  std::vector<MeasuredPoint> all;
  for (const PreparedPoint& point : group) {
    all.push_back({.point = &point, .done = resumption_.done(point.key, experiment_.iterations)});
  }
  std::erase_if(mpi_sessions_, [&](const auto& session) {
    return std::ranges::none_of(
        all, [&](const MeasuredPoint& measured) { return launch_of(measured) == session.first; });
  });
  for (const auto& [name, wiring] : *wirings_) {
    const bool is_used = std::ranges::any_of(all, [&name = name](const MeasuredPoint& measured) {
      return measured.configuration().wiring == name;
    });
    if (!is_used) wiring->dismiss_workers();
  }
  for (MeasuredPoint& measured : all) start(measured, room_beside(measured, all));
  measure_all(all);
  judge_traffic(all);
  for (const MeasuredPoint& measured : all) measured.session->finish(measured.assigned);
}

void MeasuringLoop::measure_all(std::vector<MeasuredPoint>& all) try {
  std::mt19937_64 random(experiment_.seed);
  std::vector<MeasuredPoint*> turns;
  for (MeasuredPoint& measured : all) turns.push_back(&measured);
  for (std::size_t i = 0; i < experiment_.warmup + experiment_.iterations; ++i) {
    std::ranges::shuffle(turns, random);
    for (MeasuredPoint* const measured : turns) {
      const bool is_done = i >= experiment_.warmup && i < experiment_.warmup + measured->done;
      if (!is_done) measure_iteration(*measured, i);
    }
  }
  meter_.stop();
} catch (...) {
  meter_ = {};
  for (const MeasuredPoint& measured : all) {
    if (measured.point->task.algorithm.has_plans())
      folder_.mark(measured.point->key, std::string(record::kFlagNotCounted));
  }
  throw;
}

std::optional<MeasuringLoop::MpiLaunch> MeasuringLoop::launch_of(
    const MeasuredPoint& measured) const {
  auto arguments = mpirun_arguments(*measured.point);
  if (!arguments) return std::nullopt;
  return MpiLaunch(measured.configuration().wiring, *std::move(arguments));
}

workers::Session& MeasuringLoop::session_for(const MeasuredPoint& measured) {
  StandingWiring& wiring = use(measured);
  const std::optional<MpiLaunch> launch = launch_of(measured);
  if (!launch) return wiring.session(clock_);
  auto& session = mpi_sessions_[*launch];
  if (!session) session = wiring.start_mpi_session(clock_, launch->second);
  return *session;
}

std::size_t MeasuringLoop::room_beside(const MeasuredPoint& measured,
                                       std::span<const MeasuredPoint> all) const {
  std::size_t most = 0;
  for (const MeasuredPoint& other : all) {
    const bool is_shared = other.configuration().wiring == measured.configuration().wiring &&
                           other.configuration().type == measured.configuration().type &&
                           launch_of(other) == launch_of(measured);
    if (is_shared) most = std::max(most, other.point->goal.elements);
  }
  return most;
}

void MeasuringLoop::start(MeasuredPoint& measured, std::size_t room) {
  const PreparedPoint& point = *measured.point;
  Expectations& expected = measured.expected;
  measured.session = &session_for(measured);
  if (dilation_ > 1 && has_latency_of_software(experiment_, point)) {
    expected.latency = naming(
        point, [&] { return software_latency(*measured.session, job_of(point)) / dilation_; });
  }
  if (point.training) progress_.update(steps_done_, "measuring costs for " + title_of(point));
  measured.assigned = naming(point, [&] { return measured.session->assign(job_of(point), room); });
  const std::optional<workers::JobPlan>& plan = measured.assigned.plan;
  if (plan && expected.latency) *expected.latency *= static_cast<double>(plan->buckets.size());
  expect(measured);
  std::optional<record::TrainingPlan> training;
  if (measured.job) training = plan_of(*measured.job, *point.training);
  folder_.begin(records_.of(point, dilation_, expected, std::move(training)));
  check_time();
}

workers::Job MeasuringLoop::job_of(const PreparedPoint& point) const {
  workers::Job job{.task = point.task,
                   .memory = point.configuration.memory,
                   .seed = experiment_.seed,
                   .timeout = experiment_.timeout,
                   .startup = nanoseconds(experiment_.startup * dilation_),
                   .rate = {experiment_.rate.bits_per_second / dilation_}};
  if (point.training) {
    job.training = workers::TrainingJob{.layers = point.training->profile.layers,
                                        .dilation = dilation_,
                                        .load = experiment_.compute->load};
  }
  return job;
}

void MeasuringLoop::expect(MeasuredPoint& measured) {
  const PreparedPoint& point = *measured.point;
  const std::optional<workers::JobPlan>& plan = measured.assigned.plan;
  progress_.update(steps_done_, "predicting " + title_of(point));
  const StandingWiring& wiring = *wirings_->at(point.configuration.wiring);
  Expectations& expected = measured.expected;
  expected.limits = {.payload = experiment::payload_rate(experiment_), .burst = wiring.burst()};
  if (plan) measured.job = record_job(point, *plan, expected.limits);
  expected.bounds = bounds_of(point, measured.job, expected.limits);
  LinkFinding links = wiring.finding();
  links.startup /= dilation_;
  expected.predicted = predict_gst(experiment_, point, links, plan);
}

void MeasuringLoop::measure_iteration(MeasuredPoint& measured, std::size_t iteration) {
  check_time();
  const PreparedPoint& point = *measured.point;
  progress_.update(steps_done_, fmt::format("{}, iteration {}", title_of(point), iteration));
  const bool trace =
      tracing_ && iteration >= tracing_->window.first && iteration <= tracing_->window.last;
  const bool keep = is_kept(iteration);
  const bool all_sends =
      keep && record::count_transfers(measured.plans()) <= record::kMostTransfers;
  StandingWiring& wiring = use(measured);
  meter_.count_into(wiring, measured.carried);
  wiring.rest();
  const TimePoint began = clock_.now();
  const MachineWatch watch(clock_, wiring.is_here());
  auto ranks = naming(point, [&] {
    return measured.session->iterate(
        measured.assigned,
        {.iteration = iteration, .check = is_checked(iteration), .trace = trace || all_sends},
        nanoseconds(expected(measured)));
  });
  const std::optional<record::MachineUse> used = watch.use();
  if (trace) tracing_->file.add(traced(point), iteration, dilation_, ranks);
  record::Sample sample = make_sample(measured, iteration, ranks);
  sample.machine = used;
  const bool disturbed = used && measured.judge.judge(*used);
  if (disturbed) record::add_once(sample.flags, record::kFlagDisturbed);
  if (const auto busy = others_.look(disturbed)) {
    progress_.say(fmt::format("{}, in iteration {} of {}", *busy, iteration, title_of(point)));
  }
  if (tell_changes(point, iteration, ranks, began)) {
    record::add_once(sample.flags, record::kFlagLinkChanged);
  }
  folder_.append(sample);
  if (keep) keep_timeline(point, iteration, std::move(ranks));
  ++steps_done_;
}

Seconds MeasuringLoop::expected(const MeasuredPoint& measured) const {
  const Seconds bound = measured.point->bound.value_or(Seconds(0));
  return (measured.job ? measured.job->predicted.iteration : bound) * dilation_;
}

bool MeasuringLoop::tell_changes(const PreparedPoint& point, std::size_t iteration,
                                 std::span<const record::RankIteration> ranks, TimePoint began) {
  std::vector<std::string> changes = wirings_->at(point.configuration.wiring)->take_changes(began);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    for (const record::LinkEvent& event : ranks[rank].links) {
      changes.push_back(fmt::format("rank {}, port {}: {}", rank, event.port.index(), event.what));
    }
  }
  for (const std::string& change : changes) {
    progress_.say(fmt::format("{}, in iteration {} of {}", change, iteration, title_of(point)));
  }
  return !changes.empty();
}

bool MeasuringLoop::is_kept(std::size_t iteration) const {
  return iteration == (experiment_.warmup > 0 ? experiment_.warmup - 1 : 0);
}

void MeasuringLoop::keep_timeline(const PreparedPoint& point, std::size_t iteration,
                                  std::vector<record::RankIteration> ranks) {
  folder_.keep(record::Timeline{.key = point.key,
                                .attempt = folder_.attempt(),
                                .iteration = iteration,
                                .warmup = iteration < experiment_.warmup,
                                .dilation = dilation_,
                                .ranks = record::first_ranks(std::move(ranks))});
}

record::Sample MeasuringLoop::make_sample(const MeasuredPoint& measured, std::size_t iteration,
                                          std::span<const record::RankIteration> ranks) const {
  const PreparedPoint& point = *measured.point;
  record::Sample sample{.key = point.key,
                        .attempt = folder_.attempt(),
                        .configuration = point.configuration,
                        .iteration = iteration,
                        .warmup = iteration < experiment_.warmup,
                        .dilation = dilation_,
                        .flags = flags_of(measured)};
  Nanoseconds origin = Nanoseconds::max();
  for (const record::RankIteration& rank : ranks) origin = std::min(origin, rank.start);
  for (const record::RankIteration& rank : ranks) {
    sample.ranks.push_back({.start = rank.start - origin, .end = rank.end - origin});
    if (rank.wrong) sample.wrong = sample.wrong.value_or(0) + *rank.wrong;
  }
  if (point.task.workload.dense()) sample.dense = record::dense_sample(ranks);
  const std::vector<Seconds>& bounds = measured.expected.bounds;
  if (!bounds.empty()) sample.head_start = head_start(ranks, bounds, dilation_);
  for (const Rank rank : stragglers(ranks, expected(measured))) {
    sample.flags.push_back(record::straggler_flag(rank));
  }
  if (const std::optional<JobRecord>& job = measured.job) {
    sample.training = training_sample(*job, ranks);
    for (std::string& flag : training_flags(*point.training, *sample.training, dilation_, ranks)) {
      sample.flags.push_back(std::move(flag));
    }
  }
  return sample;
}

std::vector<std::string> MeasuringLoop::flags_of(const MeasuredPoint& measured) const {
  const std::vector<double> carried =
      measured.job ? measured.job->port_bytes : std::vector{busiest_port_bytes(*measured.point)};
  return wirings_->at(measured.configuration().wiring)->sample_flags(carried);
}

bool MeasuringLoop::is_checked(std::size_t iteration) const {
  switch (experiment_.check) {
    case experiment::Check::every:
      return true;
    case experiment::Check::never:
      return false;
    case experiment::Check::first_last:
      return iteration == experiment_.warmup ||
             iteration + 1 == experiment_.warmup + experiment_.iterations;
  }
  throw_bug("an experiment says when sums are checked");
}

void MeasuringLoop::check_time() {
  const TimePoint before = clock_.now();
  workers::heed_signals();
  if (deadline_) deadline_->extend(clock_.now() - before);
  if (deadline_ && deadline_->passed()) {
    throw FabricError(FabricFailure::stalled, {},
                      fmt::format("the run took longer than max_time, {}",
                                  format_duration(*experiment_.max_time)));
  }
}

}  // namespace gradwire::run
