#include "simulator/job_run.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

/// The contents of alarms: `subject` is a rank of all jobs, `detail` the beginning of an iteration,
/// or the beginning or end of one of its nodes.
///
/// A node that ends lets others begin. Nodes after computing begin at once; nodes after a
/// collective begin by an alarm of the same moment, because a collective ends while its messages
/// are being processed. Computing ends at its exact time, and not at that of the step in which it
/// is noticed, so that times add up as they would on paper.
namespace gradwire::simulator {
namespace {

constexpr std::size_t kIteration = SIZE_MAX;
constexpr std::size_t kProgressEvery = 1 << 12;  // steps; a fraction of a second

std::size_t beginning(std::size_t node) {
  return 2 * node;
}
std::size_t end(std::size_t node) {
  return 2 * node + 1;
}

/// Whether a rank can delay, or be delayed by, another.
bool communicates(const jobs::Program& program) {
  return std::ranges::any_of(program.nodes, [](const jobs::Node& node) {
    return std::holds_alternative<jobs::Call>(node.what);
  });
}

}  // namespace

JobRun::JobRun(const topologies::Topology& topology, std::span<const Tenant> tenants,
               const PlansOf& plans_of, const NetworkModel& model, const JobsOptions& options)
    : tenants_(tenants),
      options_(options),
      fabric_(topology),
      machine_(fabric_.speeds(), model, machine_options_, *this),
      outcomes_(tenants.size()) {
  for (std::uint32_t number = 0; number < tenants.size(); ++number) {
    const Tenant& tenant = tenants[number];
    ensure(tenant.seats.size() == tenant.job.ranks.size(), "every rank has a host");
    ensure(tenant.iterations > 0, "a job has an iteration");
    states_.push_back({.graphs = jobs::graphs_of(tenant.job),
                       .first_rank = ranks_.size(),
                       .meetings = Meetings(fabric_, tenant, plans_of, machine_)});
    outcomes_[number].ends.resize(tenant.iterations, tenant.start.count());
    outcomes_[number].nodes.resize(tenant.job.ranks.size());
    for (std::uint32_t rank = 0; rank < tenant.job.ranks.size(); ++rank) {
      ranks_.push_back({.tenant = number, .rank = rank});
    }
  }
}

std::vector<JobOutcome> JobRun::run() {
  for (std::uint32_t actor = 0; actor < ranks_.size(); ++actor) {
    if (graph(ranks_[actor]).size() == 0) continue;
    ++ranks_left_;
    ranks_[actor].begun = tenants_[ranks_[actor].tenant].start.count();
    machine_.set_alarm(ranks_[actor].begun, {.subject = actor, .detail = kIteration});
  }
  for (std::size_t steps = 0; ranks_left_ > 0; ++steps) {
    ensure(machine_.step(), "a job that was checked comes to its end");
    retire_collectives();
    if (options_.progress && steps % kProgressEvery == 0) options_.progress();
  }
  for (std::size_t i = 0; i < outcomes_.size(); ++i) {
    outcomes_[i].messages = states_[i].meetings.messages();
  }
  return std::move(outcomes_);
}

const jobs::Program& JobRun::program(const RankState& rank) const {
  const jobs::Job& job = tenants_[rank.tenant].job;
  return job.programs[job.ranks[rank.rank].program];
}

const jobs::ProgramGraph& JobRun::graph(const RankState& rank) const {
  return states_[rank.tenant].graphs[tenants_[rank.tenant].job.ranks[rank.rank].program];
}

void JobRun::on_alarm(const Alarm& alarm) {
  const std::uint32_t actor = alarm.subject;
  if (alarm.detail == kIteration) return begin_iteration(actor, ranks_[actor].begun);
  const auto node = static_cast<std::uint32_t>(alarm.detail / 2);
  if (alarm.detail == beginning(node)) return begin(actor, node);
  for (const std::uint32_t next : complete(actor, node, ranks_[actor].times[node].end)) {
    const bool is_due = ranks_[actor].ready[next] <= machine_.now() * (1 + kSimultaneous);
    is_due ? begin(actor, next) : schedule(actor, next);
  }
}

void JobRun::on_end(std::uint32_t collective, std::size_t place) {
  TenantState& tenant = states_[tenant_of_[collective]];
  const std::size_t rank = tenant.meetings.rank_at(collective, place);
  const auto actor = static_cast<std::uint32_t>(tenant.first_rank + rank);
  if (tenant.meetings.leave(collective)) over_.push_back(collective);
  for (const std::uint32_t next : complete(actor, nodes_[collective][place], machine_.now())) {
    schedule(actor, next);
  }
}

void JobRun::begin_iteration(std::uint32_t actor, double time) {
  RankState& rank = ranks_[actor];
  const jobs::ProgramGraph& graph = this->graph(rank);
  const jobs::Program& program = this->program(rank);
  rank.begun = rank.last = time;
  rank.nodes_left = graph.size();
  rank.times.assign(graph.size(), {});
  rank.ready.assign(graph.size(), time);
  rank.inputs.resize(graph.size());
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    rank.inputs[node] = graph.inputs(node);
    const jobs::Node& self = program.nodes[node];
    if (self.after.empty()) rank.ready[node] = time + self.lag.count();
  }
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    if (graph.inputs(node) == 0) schedule(actor, node);
  }
}

void JobRun::end_iteration(std::uint32_t actor) {
  RankState& rank = ranks_[actor];
  const Tenant& tenant = tenants_[rank.tenant];
  JobOutcome& outcome = outcomes_[rank.tenant];
  if (rank.iteration < tenant.iterations) {
    double& end = outcome.ends[rank.iteration];
    end = std::max(end, rank.last);
  }
  if (++rank.iteration == tenant.iterations) {
    outcome.nodes[rank.rank] = rank.times;
    --ranks_left_;
  }
  if (rank.iteration >= tenant.iterations) {
    // What takes no time, or nobody notices, would go on for ever.
    const bool matters = communicates(program(rank)) && rank.last > rank.begun;
    if (!options_.goes_on || !matters) return;
  }
  rank.begun = rank.last;
  machine_.set_alarm(rank.begun, {.subject = actor, .detail = kIteration});
}

void JobRun::begin(std::uint32_t actor, std::uint32_t node) {
  RankState& rank = ranks_[actor];
  const jobs::Node& self = program(rank).nodes[node];
  if (const jobs::Call* call = std::get_if<jobs::Call>(&self.what)) {
    return this->call(actor, node, *call);
  }
  NodeTimes& times = rank.times[node];
  times.start = rank.ready[node];
  times.end = times.start + std::get<jobs::Compute>(self.what).time.count();
  machine_.set_alarm(times.end, {.subject = actor, .detail = end(node)});
}

void JobRun::call(std::uint32_t actor, std::uint32_t node, const jobs::Call& call) {
  RankState& rank = ranks_[actor];
  const jobs::ProgramGraph& graph = this->graph(rank);
  const std::uint64_t ordinal =
      rank.iteration * graph.calls(call.slot).size() + graph.ordinal(node);
  const std::uint32_t group = tenants_[rank.tenant].job.ranks[rank.rank].groups[call.slot];
  const Meetings::Seat seat = states_[rank.tenant].meetings.seat(rank.rank, group, ordinal, call);
  if (nodes_.size() <= seat.collective) {
    nodes_.resize(seat.collective + std::size_t{1});
    tenant_of_.resize(nodes_.size());
  }
  nodes_[seat.collective].resize(tenants_[rank.tenant].job.groups[group].ranks.size());
  nodes_[seat.collective][seat.place] = node;
  tenant_of_[seat.collective] = rank.tenant;
  rank.times[node].start = machine_.now();
  machine_.begin(seat.collective, seat.place);
}

std::vector<std::uint32_t> JobRun::complete(std::uint32_t actor, std::uint32_t node, double end) {
  RankState& rank = ranks_[actor];
  rank.times[node].end = end;
  rank.last = std::max(rank.last, end);
  std::vector<std::uint32_t> free;
  for (const jobs::Edge& edge : graph(rank).edges(node)) {
    const Seconds lag = edge.is_lagged ? program(rank).nodes[edge.to].lag : Seconds{};
    const double ready = end + lag.count();
    if (ready >= rank.ready[edge.to]) {
      rank.ready[edge.to] = ready;
      rank.times[edge.to].cause = node;
    }
    if (--rank.inputs[edge.to] == 0) free.push_back(edge.to);
  }
  if (--rank.nodes_left == 0) end_iteration(actor);
  return free;
}

void JobRun::schedule(std::uint32_t actor, std::uint32_t node) {
  machine_.set_alarm(ranks_[actor].ready[node], {.subject = actor, .detail = beginning(node)});
}

void JobRun::retire_collectives() {
  for (const std::uint32_t collective : over_) {
    states_[tenant_of_[collective]].meetings.retire(collective);
  }
  over_.clear();
}

}  // namespace gradwire::simulator
