#include "tests/faults/loopback/rank_life.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/lane_program.h"
#include "core/pattern.h"
#include "transport/execution/plan_agreement.h"
#include "transport/executor.h"
#include "transport/tcp/connect.h"

namespace gradwire::faults {
namespace {

/// One more than the highest number of a port in any rank's Plan.
std::size_t ports_of(const Scenario& scenario) {
  std::size_t ports = 1;
  for (const Plan& plan : scenario.plans) {
    for (const Lane& lane : plan.lanes) {
      for (const Peer& peer : channels_of(lane)) {
        ports = std::max({ports, peer.via.index() + 1, peer.at.index() + 1});
      }
    }
  }
  return ports;
}

}  // namespace

RankEnding RankLife::live() {
  RankEnding ending;
  try {
    work();
    ending.completed = true;
  } catch (const Died&) {
  } catch (const Stopped&) {
  } catch (const std::exception& error) {
    ending.failure = workers::describe_failure(error);
  }
  // Another lane may have ended first, for what it saw meanwhile.
  ending.is_dead = saboteur_.is_dead();
  ending.has_stopped = saboteur_.has_stopped();
  if (ending.is_dead || ending.has_stopped) ending.failure.reset();
  return ending;
}

std::string RankLife::where() const {
  return fmt::format("before meeting {} is over, after {} operations", saboteur_.meetings(),
                     saboteur_.operations());
}

void RankLife::work() {
  const Scenario& scenario = fabric_.scenario();
  const Plan& plan = scenario.plans[self_.index()];
  transport::loopback::LocalRendezvous honest(fabric_.meeting(), self_);
  SabotagedRendezvous rendezvous(honest, saboteur_, fabric_.hooks_of(self_));
  execution::require_agreement(plan, self_, rendezvous);
  std::vector<float> gradient(scenario.elements);
  transport::Executor executor(
      plan, connect(gradient, rendezvous), fabric_.cancellation(self_),
      {.rank = self_, .clock = clock_, .timing = {.stall_timeout = scenario.stall}});
  for (std::size_t execution = 0; execution < scenario.executions; ++execution) {
    fill(execution, gradient);
    rendezvous.barrier();
    executor.execute();
    rendezvous.barrier();
    verify(execution, gradient);
  }
}

std::vector<std::unique_ptr<transport::Endpoint>> RankLife::connect(
    std::span<float> gradient, transport::Rendezvous& rendezvous) {
  const Scenario& scenario = fabric_.scenario();
  const std::vector<transport::PortBinding> ports(ports_of(scenario),
                                                  {.device = "lo", .address = "127.0.0.1"});
  auto honest = transport::tcp::connect({.plan = scenario.plans[self_.index()],
                                         .self = self_,
                                         .gradient = gradient,
                                         .ports = ports,
                                         .rendezvous = rendezvous,
                                         .cancellation = fabric_.cancellation(self_),
                                         .clock = clock_},
                                        {.key = fabric_.key(),
                                         .check_frames = scenario.check_frames,
                                         .timeout = scenario.connecting,
                                         .unacknowledged = scenario.stall});
  std::vector<std::unique_ptr<transport::Endpoint>> endpoints;
  for (auto& endpoint : honest) {
    endpoints.push_back(std::make_unique<SabotagedEndpoint>(std::move(endpoint), saboteur_));
  }
  return endpoints;
}

void RankLife::fill(std::size_t execution, std::span<float> gradient) const {
  const Scenario& scenario = fabric_.scenario();
  std::ranges::fill(gradient, 0.0F);
  if (std::ranges::find(scenario.contributors, self_) == scenario.contributors.end()) return;
  Pattern(scenario.contributors, execution).fill(gradient, self_);
  const auto& poison = scenario.poison;
  if (!poison || poison->rank != self_ || poison->execution != execution) return;
  gradient[poison->element] = poison->value;
  fabric_.incident().note();
}

void RankLife::verify(std::size_t execution, std::span<const float> gradient) {
  const std::vector<Rank>& contributors = fabric_.scenario().contributors;
  if (std::ranges::find(contributors, self_) == contributors.end()) return;
  checks_.push_back(fabric_.reference().check(execution, gradient));
  if (checks_.back().counted > 0) fabric_.wrong_found().note();
}

}  // namespace gradwire::faults
