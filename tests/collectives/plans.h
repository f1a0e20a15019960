#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/plan.h"
#include "core/plan_check.h"
#include "topologies/load.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

/// What the tests of all collectives do with the Plans of a wiring's ranks.
namespace gradwire::collectives::testing {

using topologies::make_topology;
using topologies::Topology;

/// Element counts around a wiring's number of hosts, and awkward ones.
inline std::vector<std::size_t> awkward_counts(std::size_t hosts) {
  return {0, 1, hosts - 1, hosts, hosts + 1, 97, 1009};
}

/// All ranks' Plans; `make_plan(rank)` makes one.
template <class MakePlan>
std::vector<Plan> plans_of(const Topology& topology, const MakePlan& make_plan) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) plans.push_back(make_plan(Rank(i)));
  return plans;
}

/// Proves `make_plan(topology, rank, elements)` for awkward element counts.
template <class MakePlan>
void expect_sums(const Topology& topology, const MakePlan& make_plan) {
  for (const std::size_t elements : awkward_counts(topology.hosts())) {
    const auto plans =
        plans_of(topology, [&](Rank rank) { return make_plan(topology, rank, elements); });
    EXPECT_THAT(check_plans(plans, elements), ::testing::IsEmpty())
        << topology.name() << ", " << elements << " elements";
    for (const Plan& plan : plans) EXPECT_EQ(step_count(plan), step_count(plans[0]));
  }
}

/// The transfers of one step of lane `lane`, by receiving rank: "3 -> 0: [0,4) add". That a send
/// meets each is the checker's business.
inline std::vector<std::string> transfers(std::span<const Plan> plans, std::size_t step,
                                          std::size_t lane = 0) {
  std::vector<std::string> lines;
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (const Recv& recv : plans[rank].lanes.at(lane).at(step).recvs) {
      lines.push_back(fmt::format("{} -> {}: [{},{}) {}", recv.from.rank.value, rank,
                                  recv.where.first, recv.where.end(),
                                  recv.how == Combine::add ? "add" : "put"));
    }
  }
  return lines;
}

/// GST in T_F: what the most loaded link carries, step after step.
inline double bound(const Topology& topology, std::span<const Plan> plans, std::size_t elements) {
  return topologies::step_bound(topology, plans) / static_cast<double>(elements);
}

}  // namespace gradwire::collectives::testing
