#include "harness/run/jobs/emulated_jobs.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "harness/experiment/experiment.h"
#include "harness/run/emulated/dilation.h"
#include "harness/run/jobs/job_needs.h"
#include "harness/run/jobs/planned_calls.h"
#include "harness/run/measuring/disturbance.h"
#include "harness/run/prepare.h"
#include "harness/workers/interrupt.h"
#include "results/record/flags.h"
#include "testbed/shape.h"
#include "topologies/address_plan.h"
#include "workloads/workload.h"

namespace gradwire::run {
namespace {

/// A wait that the simulation has is no stall, and neither is one that is twice as long.
constexpr double kPatience = 2;
/// Filling and verifying what a rank's collectives have, while others wait for it.
constexpr Nanoseconds kTimePerElement{20};

void require_emulable(const topologies::Topology& topology) {
  const std::string objection = topologies::why_no_addresses(topology);
  if (!objection.empty()) {
    throw InputError(fmt::format("{} cannot be emulated: {}", topology.name(), objection));
  }
  if (topology.hosts() <= experiment::kMaxEmulatedHosts) return;
  throw InputError(fmt::format("{} has {} hosts; a machine emulates {} at most", topology.name(),
                               topology.hosts(), experiment::kMaxEmulatedHosts));
}

simulator::NodeTimes node_times(const record::RankNode& node, Nanoseconds start, double dilation) {
  return {.start = Seconds(node.start - start).count() / dilation,
          .end = Seconds(node.end - start).count() / dilation,
          .cause = node.cause};
}

}  // namespace

const simulator::JobOutcome& middle_run(const MeasuredJobs& measured, std::size_t tenant) {
  std::vector<const simulator::JobOutcome*> runs;
  for (const auto& run : measured.runs) runs.push_back(&run[tenant]);
  ensure(!runs.empty(), "something was measured");
  std::ranges::sort(runs, {}, [](const auto* run) { return run->ends.back(); });
  return *runs[(runs.size() - 1) / 2];
}

EmulatedJobs::EmulatedJobs(JobsGround ground, Progress& progress, const Clock& clock)
    : ground_(std::move(ground)), progress_(progress), clock_(clock), dilation_(1) {
  require_emulable(*ground_.topology);
  if (ground_.dilation) {
    dilation_ = *ground_.dilation;
  } else if (ground_.rate.is_limited()) {
    progress_.update(0, "finding out what this machine carries on " + ground_.topology->name());
    dilation_ = choose_dilation(ground_.topology,
                                {.rate = ground_.rate,
                                 .mtu = ground_.mtu,
                                 .transport = transport_,
                                 .timeout = ground_.timeout},
                                clock_);
  }
  const BitRate rate{ground_.rate.bits_per_second / dilation_};
  if (rate.is_limited() &&
      (rate < experiment::kMinShapedRate || rate > experiment::kMaxShapedRate)) {
    throw InputError(fmt::format("emulated links have from {} to {}, and not {}, after dilation",
                                 to_string(experiment::kMinShapedRate),
                                 to_string(experiment::kMaxShapedRate), to_string(rate)));
  }
  progress_.update(0, "calibrating " + ground_.topology->name());
  wiring_ = std::make_unique<EmulatedWiring>(ground_.topology,
                                             testbed::shape_for(rate, ground_.mtu), transport_);
  wiring_->calibrate(clock_, ground_.timeout);
}

MeasuredJobs EmulatedJobs::measure(const JobsToRun& jobs, const std::string& what) {
  const algorithms::JobAlgorithms algorithms({jobs.algorithms.begin(), jobs.algorithms.end()});
  const JobNeeds needs = needs_of(*ground_.topology, jobs.tenants, algorithms);
  require_room(needs, ground_.topology->hosts());
  MeasuredJobs measured{.wrong = std::vector<std::uint64_t>(jobs.tenants.size()),
                        .verified = std::vector<std::uint64_t>(jobs.tenants.size())};
  progress_.update(0, "connecting " + what);
  workers::Session& session = wiring_->session(clock_);
  const workers::Session::Assigned assigned = session.assign(job_of(jobs, needs.rank_elements));
  const WiringTraffic before = wiring_->read_traffic();
  const TimePoint began = clock_.now();
  DisturbanceJudge judge;
  for (std::size_t run = 0; run <= jobs.runs; ++run) {
    workers::heed_signals();
    progress_.update(0, fmt::format("{}, run {} of {}", what, run, jobs.runs));
    wiring_->rest();
    const MachineWatch watch(clock_, wiring_->is_here());
    const auto ranks =
        session.iterate(assigned, {.iteration = run, .check = run == 0}, dilated(jobs.expected));
    const auto used = watch.use();
    if (run > 0 && used && judge.judge(*used)) ++measured.disturbed;
    add_run(jobs, ranks, measured);
  }
  measured.runs.erase(measured.runs.begin());  // the one that checks everything
  std::vector<PlannedTraffic> planned(wiring_->host_ports());
  std::vector<double> busiest;
  plan_traffic(jobs, planned, busiest);
  measured.flags = wiring_->sample_flags(busiest);
  const WiringTraffic carried = wiring_->read_traffic() - before;
  for (const auto& flags :
       {wiring_->traffic_flags(carried, planned), wiring_->shared_flags(carried)}) {
    for (const std::string& flag : flags) record::add_once(measured.flags, flag);
  }
  if (!wiring_->take_changes(began).empty()) {
    record::add_once(measured.flags, record::kFlagLinkChanged);
  }
  session.finish(assigned);
  return measured;
}

workers::Job EmulatedJobs::job_of(const JobsToRun& jobs, std::size_t rank_elements) const {
  workers::JobGraphs graphs{.algorithms = {jobs.algorithms.begin(), jobs.algorithms.end()},
                            .dilation = dilation_};
  for (std::size_t i = 0; i < jobs.tenants.size(); ++i) {
    const simulator::Tenant& tenant = jobs.tenants[i];
    graphs.jobs.push_back({.job = {std::shared_ptr<const void>(), &tenant.job},
                           .seats = tenant.seats,
                           .start = tenant.start,
                           .iterations = jobs.iterations[i],
                           .counted = tenant.iterations});
  }
  const auto elements = static_cast<Nanoseconds::rep>(rank_elements * ground_.topology->hosts());
  return {
      .task = {.wiring = ground_.topology,
               .workload = workloads::Workload(workloads::Elements{rank_elements})},
      .graphs = std::move(graphs),
      .timeout = ground_.timeout + dilated(jobs.longest * kPatience) + elements * kTimePerElement,
      .startup = dilated(Seconds(ground_.startup)),
      .rate = {ground_.rate.bits_per_second / dilation_}};
}

void EmulatedJobs::add_run(const JobsToRun& jobs, std::span<const record::RankIteration> ranks,
                           MeasuredJobs& measured) const {
  auto& run = measured.runs.emplace_back(jobs.tenants.size());
  for (std::size_t i = 0; i < jobs.tenants.size(); ++i) {
    const simulator::Tenant& tenant = jobs.tenants[i];
    simulator::JobOutcome& outcome = run[i];
    outcome.ends.assign(tenant.iterations, 0);
    for (const Rank seat : tenant.seats) {
      const record::RankIteration& rank = ranks[seat.index()];
      const record::RankProgram& program = rank.program.value();
      for (std::size_t end = 0; end < program.ends.size(); ++end) {
        const double at = Seconds(program.ends[end] - rank.start).count() / dilation_;
        outcome.ends[end] = std::max(outcome.ends[end], at);
      }
      auto& nodes = outcome.nodes.emplace_back();
      for (const record::RankNode& node : program.nodes) {
        nodes.push_back(node_times(node, rank.start, dilation_));
      }
      measured.wrong[i] += static_cast<std::uint64_t>(rank.wrong.value());
      measured.verified[i] += program.verified;
    }
  }
}

void EmulatedJobs::plan_traffic(const JobsToRun& jobs, std::vector<PlannedTraffic>& planned,
                                std::vector<double>& busiest) const {
  const algorithms::JobAlgorithms algorithms({jobs.algorithms.begin(), jobs.algorithms.end()});
  for (std::size_t i = 0; i < jobs.tenants.size(); ++i) {
    const std::size_t iterations = 1 + jobs.runs * jobs.iterations[i];
    for_each_call(*ground_.topology, jobs.tenants[i], algorithms, [&](const PlannedCall& call) {
      wiring_->add_planned(call.plans, call.type, call.times * iterations, planned);
      busiest.insert(busiest.end(), call.times, busiest_port_bytes(call.plans, call.type));
    });
  }
}

Nanoseconds EmulatedJobs::dilated(Seconds time) const {
  return std::chrono::duration_cast<Nanoseconds>(time * dilation_);
}

}  // namespace gradwire::run
