#include "harness/workers/rank/program_assignment.h"

#include <algorithm>
#include <utility>

#include "collectives/algorithms/job_plans.h"
#include "core/error.h"
#include "harness/workers/rank/synchronizer.h"
#include "transport/endpoint.h"

namespace gradwire::workers {
namespace {

/// Time from the last rank's readiness to a run's start: others must hear of it, on a busy machine.
constexpr Nanoseconds kHeadroom = std::chrono::milliseconds(50);

/// All that a member of a channel is to do there.
ChannelTask task_of(const Job& job, const SeatedJob& seated, const jobs::Channel& channel) {
  const algorithms::JobAlgorithms algorithms(job.graphs->algorithms);
  std::vector<Rank> hosts;
  for (const Rank member : seated.job->groups[channel.group].ranks) {
    hosts.push_back(seated.seats[member.index()]);
  }
  const auto own = std::ranges::find(hosts, job.rank);
  ensure(own != hosts.end(), "a channel's members are in its group");
  const auto place = static_cast<std::size_t>(own - hosts.begin());
  ChannelTask task{.type = channel.call.dtype, .seed = job.seed};
  for (const std::size_t elements : channel.sizes) {
    jobs::Call call = channel.call;
    call.elements = elements;
    task.goals.push_back(
        for_group(algorithms.goal(*job.task.wiring, call, hosts), hosts, job.task.wiring->hosts()));
    task.plans.push_back(algorithms.plan(*job.task.wiring, call, hosts, place));
  }
  return task;
}

}  // namespace

ProgramAssignment::ProgramAssignment(const Job& job, const WorkerContext& context)
    : context_(context), host_(job.rank) {
  ensure(job.graphs.has_value(), "a job with programs");
  if (const auto seat = job.graphs->seat_of(host_)) {
    const SeatedJob& seated = job.graphs->jobs[seat->job];
    job_ = seated.job;
    rank_ = seat->rank;
    run_ = {.iterations = seated.iterations, .counted = seated.counted};
    late_ = std::chrono::duration_cast<Nanoseconds>(seated.start * job.graphs->dilation);
  }
  connect(job);
  if (!job_) return;
  streams_.emplace(
      job_->programs[job_->ranks[rank_.index()].program], job.graphs->dilation,
      [this](std::size_t node, std::size_t iteration) { perform(node, iteration); },
      ProgramStreams::Surroundings{.clock = context_.clock, .cancellation = context_.cancellation});
}

void ProgramAssignment::connect(const Job& job) {
  std::size_t rounds = 0;
  std::optional<jobs::Channels> own;
  for (const SeatedJob& seated : job.graphs->jobs) {
    jobs::Channels channels = jobs::channels_of(*seated.job, jobs::graphs_of(*seated.job));
    rounds = std::max(rounds, channels.rounds);
    if (seated.job == job_) own = std::move(channels);
  }
  std::vector<std::optional<std::size_t>> by_round(rounds);
  if (own) {
    channels_.resize(own->all.size());
    for (std::size_t channel = 0; channel < own->all.size(); ++channel) {
      const Group& members = job_->groups[own->all[channel].group].ranks;
      if (std::ranges::find(members, rank_) == members.end()) continue;
      by_round[own->all[channel].round] = channel;
    }
  }
  for (const std::optional<std::size_t>& channel : by_round) {
    if (channel) {
      connect_channel(job, *own, *channel);
    } else {
      connect_nobody(ends_of(job, context_));
    }
  }
  if (!own) return;
  const std::vector<jobs::ProgramGraph> graphs = jobs::graphs_of(*job_);
  const jobs::Program& program = job_->programs[job_->ranks[rank_.index()].program];
  calls_.resize(program.nodes.size());
  for (std::size_t node = 0; node < calls_.size(); ++node) {
    if (!std::holds_alternative<jobs::Call>(program.nodes[node].what)) continue;
    OwnCall& call = calls_[node];
    call.place = jobs::call_in(*job_, graphs, *own, rank_, node);
    call.channel = channels_[call.place.channel].get();
    for (const std::size_t count : own->all[call.place.channel].counts) call.calls += count;
  }
}

void ProgramAssignment::connect_channel(const Job& job, const jobs::Channels& channels,
                                        std::size_t channel) {
  const auto seat = job.graphs->seat_of(host_);
  ChannelTask task = task_of(job, job.graphs->jobs[seat->job], channels.all[channel]);
  task.seed += channel;  // what belongs to another channel is wrong in this one
  channels_[channel] = std::make_unique<ChannelEnd>(std::move(task), ends_of(job, context_));
}

std::optional<FabricError> ProgramAssignment::unanswered() const {
  for (const auto& channel : channels_) {
    if (!channel) continue;
    if (auto error = channel->unanswered()) return error;
  }
  return std::nullopt;
}

record::RankIteration ProgramAssignment::iterate(const IterationRequest& request) try {
  request_ = request;
  wrong_ = 0;
  verified_ = 0;
  for (const auto& channel : channels_) {
    if (channel) channel->clear();
  }
  if (!request.check) fill_witnesses();
  const TimePoint start = agree_on_start();
  record::RankIteration mine{.start = start.time_since_epoch(), .program = record::RankProgram{}};
  if (streams_) {
    ProgramRun run = request.check ? ProgramRun{} : run_;
    run.start = start + (request.check ? Nanoseconds::zero() : late_);
    mine.program = streams_->run(run);
  }
  mine.end = std::max(start, context_.clock.now()).time_since_epoch();
  context_.rendezvous.barrier();  // verifying keeps a core busy that a slower rank may still need
  if (!request.check) verify_witnesses();
  mine.wrong = static_cast<std::int64_t>(wrong_);
  mine.program->verified = verified_;
  return mine;
} catch (const transport::Cancelled&) {
  throw FabricError(FabricFailure::cancelled, {.rank = host_}, "given up while it computed");
}

TimePoint ProgramAssignment::agree_on_start() const {
  const Nanoseconds now = context_.clock.now().time_since_epoch();
  Nanoseconds last = now;
  for (const Nanoseconds theirs : context_.rendezvous.all_gather(now))
    last = std::max(last, theirs);
  return TimePoint(last + kHeadroom);
}

void ProgramAssignment::perform(std::size_t node, std::size_t iteration) {
  const OwnCall& call = calls_[node];
  const std::size_t size = call.place.size;
  if (request_.check) {
    call.channel->fill(size, Bench::work, number_of(call));
    call.channel->run(size, Bench::work);
    count(call.channel->count_wrong(size, Bench::work, number_of(call)));
  } else {
    const bool witness = iteration + 1 == run_.iterations && is_witness(call);
    call.channel->run(size, witness ? Bench::witness : Bench::work);
  }
}

bool ProgramAssignment::is_witness(const OwnCall& call) const {
  return call.place.number == request_.iteration % call.calls;
}

void ProgramAssignment::fill_witnesses() {
  for (const OwnCall& call : calls_) {
    if (call.channel == nullptr || !is_witness(call)) continue;
    call.channel->fill(call.place.size, Bench::witness, number_of(call));
  }
}

void ProgramAssignment::verify_witnesses() {
  for (const OwnCall& call : calls_) {
    if (call.channel == nullptr || !is_witness(call)) continue;
    count(call.channel->count_wrong(call.place.size, Bench::witness, number_of(call)));
  }
}

std::size_t ProgramAssignment::number_of(const OwnCall& call) const {
  return request_.iteration * call.calls + call.place.number;
}

void ProgramAssignment::count(std::size_t wrong) {
  wrong_ += wrong;
  ++verified_;
}

}  // namespace gradwire::workers
