#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "collectives/direct.h"
#include "collectives/member.h"
#include "collectives/ring.h"
#include "simulator/jobs.h"
#include "tests/schedule/jobs/jobs.h"
#include "tests/simulator/plans.h"

/// Plans for the collectives of jobs.
namespace gradwire::simulator::testing {

/// All-reduces go round a ring; all else is sent directly, in one step.
inline PlansOf simple_plans(const Topology& topology) {
  return [&topology](const jobs::Call& call, std::span<const Rank> hosts) {
    std::vector<Plan> plans;
    for (std::size_t place = 0; place < hosts.size(); ++place) {
      const collectives::Member self{.topology = topology, .group = hosts, .place = place};
      const Parts parts = equal_parts(hosts.size(), call.elements);
      plans.push_back(
          call.what == jobs::Collective::all_reduce
              ? then(collectives::ring::reduce_scatter(self, parts),
                     collectives::ring::all_gather(self, parts))
              : collectives::direct::plan(self, jobs::testing::goal_of(call, hosts.size())));
    }
    return plans;
  };
}

/// Host 0, 1, ... for so many ranks.
inline std::vector<Rank> first_hosts(std::size_t ranks) {
  std::vector<Rank> hosts;
  for (std::size_t rank = 0; rank < ranks; ++rank) hosts.emplace_back(rank);
  return hosts;
}

/// Runs one job on a wiring's first hosts, an element per second on every link.
inline JobOutcome run_job(const jobs::Job& job, const Topology& topology,
                          std::size_t iterations = 1) {
  const std::vector<Tenant> tenants{
      {.job = job, .seats = first_hosts(job.ranks.size()), .iterations = iterations}};
  return simulate(topology, tenants, simple_plans(topology), kElementPerSecond).front();
}

}  // namespace gradwire::simulator::testing
