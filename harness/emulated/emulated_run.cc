#include "harness/emulated/emulated_run.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "harness/interrupt.h"
#include "harness/peer_algorithms.h"
#include "harness/report/flags.h"
#include "harness/store/sealed_line.h"

namespace gradwire::harness {
namespace {

/// With `dilation: auto`, links get at most this share of what the machine carries over all links
/// of the largest wiring at once. Little, because what a busy machine loses at every step of an
/// algorithm (waking 18 lanes on two cores takes some milliseconds) must be small against the step.
constexpr double kMachineShare = 0.1;
/// Fast enough not to limit the machine, slow enough for the shaper's counters.
constexpr BitRate kProbeRate{10e9};
constexpr Seconds kProbe(0.02);  // at the probe rate; longer at what the machine reaches
/// Gradients of points measured together may take this share of the memory.
constexpr double kMemoryShare = 0.5;

/// The largest rate not above `rate` whose first digit is 1, 2, 2.5, 4, 5 or 8: results of similar
/// machines get the same dilation.
double round_down(double rate) {
  const double decade = std::pow(10, std::floor(std::log10(rate)));
  double best = decade;
  for (const double digit : {1.0, 2.0, 2.5, 4.0, 5.0, 8.0}) {
    if (digit * decade <= rate) best = digit * decade;
  }
  return best;
}

Nanoseconds nanoseconds(Seconds seconds) {
  return std::chrono::duration_cast<Nanoseconds>(seconds);
}

}  // namespace

EmulatedRun::EmulatedRun(const Experiment& experiment, std::span<const PreparedPoint> points,
                         RunFolder& folder, Progress& progress, const Clock& clock,
                         const Resumption& resumption, std::optional<Tracing> tracing)
    : experiment_(experiment),
      points_(points),
      folder_(folder),
      progress_(progress),
      clock_(clock),
      resumption_(resumption),
      records_(experiment, folder.session()),
      jobs_(points.size()),
      tracing_(tracing) {
  if (experiment.max_time) deadline_.emplace(clock, *experiment.max_time);
}

void EmulatedRun::measure() {
  // What a resumed run measures must be comparable with what it has.
  const std::optional<double> given =
      resumption_.dilation() ? resumption_.dilation() : experiment_.dilation;
  dilation_ = given ? *given : choose_dilation();
  if (experiment_.startup * dilation_ >= Seconds(experiment_.timeout)) {
    throw InputError(
        fmt::format("link.startup takes {} with a dilation of {:g}, and nothing moves "
                    "meanwhile: give a longer timeout than {}",
                    format_duration(nanoseconds(experiment_.startup * dilation_)), dilation_,
                    format_duration(experiment_.timeout)));
  }
  build_wirings();
  double bytes = 0;
  for (const PreparedPoint& point : points_) bytes += gradient_bytes(point);
  if (experiment_.interleave && bytes <= kMemoryShare * machine_bytes()) {
    measure_group(points_);
    return;
  }
  for (std::size_t i = 0; i < points_.size(); ++i) measure_group(points_.subspan(i, 1));
}

double EmulatedRun::choose_dilation() {
  if (!experiment_.rate.is_limited()) return 1;
  const auto largest = std::ranges::max_element(points_, {}, [](const PreparedPoint& point) {
    return topologies::make_topology(point.point.wiring)->links().size();
  });
  const std::string& name = largest->point.wiring;
  progress_.update(0, "finding out what this machine carries on " + name);
  EmulatedWiring wiring(name, shape_of(kProbeRate), experiment_.transport);
  const auto session = wiring.start_session(clock_);
  const double carried =
      measure_together(wiring.topology(), *session, wiring.shape(), kProbe, experiment_.timeout);
  const double payload = testbed::payload_fraction(experiment_.mtu, wiring.shape().framing);
  const double rate = round_down(kMachineShare * carried * 8 / payload);
  return std::max(1.0, experiment_.rate.bits_per_second / rate);
}

testbed::LinkShape EmulatedRun::shape_of(BitRate rate) const {
  return testbed::shape_for(rate, experiment_.mtu, framing_of(experiment_.transport.kind));
}

void EmulatedRun::build_wirings() {
  nlohmann::json calibrations = nlohmann::json::object();
  const testbed::LinkShape shape = shape_of({experiment_.rate.bits_per_second / dilation_});
  for (const PreparedPoint& point : points_) {
    const std::string& name = point.point.wiring;
    if (wirings_.contains(name)) continue;
    progress_.update(steps_done_, "calibrating " + name);
    const TimePoint began = clock_.now();
    auto& wiring = wirings_[name] =
        std::make_unique<EmulatedWiring>(name, shape, experiment_.transport);
    const Nanoseconds built_in = clock_.now() - began;
    wiring->calibrate(clock_, experiment_.timeout);
    calibrations[name] = to_json(wiring->calibration());
    calibrations[name]["built_in_ms"] = static_cast<double>(built_in.count()) / 1e6;
    check_time();
  }
  calibration_ = {{"version", kStoreVersion},
                  {"dilation", dilation_},
                  {"rate_bits_per_s", shape.rate.bits_per_second},
                  {"mtu", shape.mtu},
                  {"burst_bytes", shape.burst},
                  {"wirings", std::move(calibrations)}};
  folder_.write_calibration(calibration_);
}

void EmulatedRun::measure_group(std::span<const PreparedPoint> group) {
  std::vector<Running> all;
  for (const PreparedPoint& point : group) {
    all.push_back(start(point));
    all.back().done = resumption_.done(point.key, experiment_.iterations);
  }
  for (const auto& [name, wiring] : wirings_) wiring->begin_counting();
  try {
    measure_all(all);
  } catch (...) {
    for (const Running& running : all) {
      if (!is_peer(*running.point)) folder_.mark(running.point->key, std::string(kFlagNotCounted));
    }
    throw;
  }
  count_bytes(all);
}

void EmulatedRun::measure_all(std::vector<Running>& all) {
  std::mt19937_64 random(experiment_.seed);
  for (std::size_t i = 0; i < experiment_.warmup + experiment_.iterations; ++i) {
    std::ranges::shuffle(all, random);
    for (Running& running : all) {
      const bool is_done = i >= experiment_.warmup && i < experiment_.warmup + running.done;
      if (!is_done) measure_iteration(running, i);
    }
  }
}

void EmulatedRun::count_bytes(std::span<const Running> group) {
  for (const auto& [name, wiring] : wirings_) {
    std::vector<testbed::LinkCounters> planned(wiring->host_ports());
    std::vector<const PreparedPoint*> points;
    for (const Running& running : group) {
      const PreparedPoint& point = *running.point;
      if (point.point.wiring != name) continue;
      if (is_peer(point)) {
        if (wiring->dropped_aside() > 0) folder_.mark(point.key, std::string(kFlagPacketLoss));
        continue;
      }
      points.push_back(&point);
      wiring->add_planned(plans_of(point),
                          experiment_.warmup + experiment_.iterations - running.done, planned);
    }
    for (const std::string& flag : wiring->count_flags(planned)) {
      for (const PreparedPoint* point : points) folder_.mark(point->key, flag);
    }
  }
}

std::span<const Plan> EmulatedRun::plans_of(const PreparedPoint& point) const {
  const std::optional<JobRecord>& job = jobs_[index_of(point)];
  return job ? job->plans : point.plans;
}

EmulatedRun::Running EmulatedRun::start(const PreparedPoint& point) {
  EmulatedWiring& wiring = *wirings_.at(point.point.wiring);
  const Spec& algorithm = point.point.algorithm_spec;
  Running running{.point = &point,
                  .session = needs_mpi(algorithm)
                                 ? wiring.start_mpi_session(clock_, mpirun_arguments(algorithm))
                                 : wiring.start_session(clock_)};
  Job job{.wiring = point.point.wiring,
          .algorithm = point.point.algorithm,
          .workload = point.point.workload,
          .elements = static_cast<std::size_t>(point.configuration.elements),
          .timeout = experiment_.timeout,
          .startup = nanoseconds(experiment_.startup * dilation_)};
  if (point.training) {
    progress_.update(steps_done_, "measuring costs for " + title_of(point));
    job.training = TrainingJob{.layers = point.training->profile.layers,
                               .schedule = point.point.schedule,
                               .dilation = dilation_,
                               .load = experiment_.compute->load};
  }
  const std::optional<JobPlan> plan = running.session->assign(std::move(job));
  std::optional<JobRecord>& record = jobs_[index_of(point)];
  if (plan) record = record_job(point, *plan, payload_rate(experiment_));
  std::optional<Seconds> bound = point.bound;
  if (record && bound) bound = record->bound;  // of its buckets
  std::optional<TrainingPlan> training;
  if (record) training = harness::plan_of(*record, *point.training);
  folder_.begin(records_.of(point, dilation_, bound, std::move(training)));
  check_time();
  return running;
}

std::size_t EmulatedRun::index_of(const PreparedPoint& point) const {
  return static_cast<std::size_t>(&point - points_.data());
}

void EmulatedRun::measure_iteration(Running& running, std::size_t iteration) {
  check_time();
  const PreparedPoint& point = *running.point;
  const std::size_t index = index_of(point);
  progress_.update(steps_done_, fmt::format("{}, iteration {}", title_of(point), iteration));
  const bool trace =
      tracing_ && iteration >= tracing_->window.first && iteration <= tracing_->window.last;
  const Seconds expected =
      jobs_[index] ? jobs_[index]->predicted.iteration : point.bound.value_or(Seconds(0));
  const bool keep = is_kept(iteration);
  const bool send_by_send = keep && count_transfers(plans_of(point)) <= kMostTransfers;
  EmulatedWiring& wiring = *wirings_.at(point.point.wiring);
  if (is_peer(point)) wiring.pause_counting();  // no Plan says what a library sends
  auto ranks = running.session->iterate(
      {.iteration = iteration, .check = is_checked(iteration), .trace = trace || send_by_send},
      nanoseconds(expected * dilation_));
  if (is_peer(point)) wiring.resume_counting();
  if (trace) tracing_->file.add(point, iteration, dilation_, ranks);
  folder_.append(make_sample(point, iteration, ranks));
  if (keep) keep_timeline(point, iteration, std::move(ranks));
  ++steps_done_;
}

bool EmulatedRun::is_kept(std::size_t iteration) const {
  return iteration == (experiment_.warmup > 0 ? experiment_.warmup - 1 : 0);
}

void EmulatedRun::keep_timeline(const PreparedPoint& point, std::size_t iteration,
                                std::vector<RankIteration> ranks) {
  folder_.keep(Timeline{.key = point.key,
                        .session = folder_.session(),
                        .iteration = iteration,
                        .warmup = iteration < experiment_.warmup,
                        .dilation = dilation_,
                        .ranks = first_ranks(std::move(ranks))});
}

Sample EmulatedRun::make_sample(const PreparedPoint& point, std::size_t iteration,
                                std::span<const RankIteration> ranks) const {
  Sample sample{.key = point.key,
                .session = folder_.session(),
                .configuration = point.configuration,
                .iteration = iteration,
                .warmup = iteration < experiment_.warmup,
                .dilation = dilation_,
                .flags = flags_of(point)};
  Nanoseconds origin = Nanoseconds::max();
  for (const RankIteration& rank : ranks) origin = std::min(origin, rank.start);
  for (const RankIteration& rank : ranks) {
    sample.ranks.push_back({.start = rank.start - origin, .end = rank.end - origin});
    if (rank.wrong) sample.wrong = sample.wrong.value_or(0) + *rank.wrong;
  }
  if (const std::optional<JobRecord>& job = jobs_[index_of(point)]) {
    sample.training = training_sample(*job, ranks);
    for (std::string& flag : training_flags(*point.training, *sample.training, dilation_, ranks)) {
      sample.flags.push_back(std::move(flag));
    }
  }
  return sample;
}

std::vector<std::string> EmulatedRun::flags_of(const PreparedPoint& point) const {
  std::vector<std::string> flags;
  const EmulatedWiring& wiring = *wirings_.at(point.point.wiring);
  if (!experiment_.rate.is_limited()) return {std::string(kFlagUnshaped)};
  if (wiring.calibration().machine_bound()) flags.emplace_back(kFlagCpuBound);
  // Every synchronization may find the shapers' buckets full.
  const std::optional<JobRecord>& job = jobs_[index_of(point)];
  const std::vector<double> carried =
      job ? job->port_bytes : std::vector{busiest_port_bytes(point)};
  double unshaped = 0;
  double all = 0;
  for (const double bytes : carried) {
    unshaped += std::min(bytes, static_cast<double>(wiring.shape().burst));
    all += bytes;
  }
  if (unshaped > kBurstShare * all) flags.emplace_back(kFlagBurst);
  return flags;
}

bool EmulatedRun::is_checked(std::size_t iteration) const {
  switch (experiment_.check) {
    case Check::every:
      return true;
    case Check::never:
      return false;
    case Check::first_last:
      return iteration == experiment_.warmup ||
             iteration + 1 == experiment_.warmup + experiment_.iterations;
  }
  throw InternalError("unknown Check");
}

void EmulatedRun::check_time() const {
  throw_if_interrupted();
  if (deadline_ && deadline_->passed()) {
    throw FabricError(FabricFailure::stalled, {},
                      fmt::format("the run took longer than max_time, {}",
                                  format_duration(*experiment_.max_time)));
  }
}

}  // namespace gradwire::harness
