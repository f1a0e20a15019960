#include "collectives/algorithms/hybrid.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/all_reduces.h"
#include "collectives/hybrid.h"
#include "core/error.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

namespace gradwire::algorithms {
namespace {

using testing::named;
using ::testing::StartsWith;

/// What an algorithm synchronizes of a workload, for which it is made.
Amount amount_of(const Algorithm& algorithm, const char* workload) {
  return algorithm.amount_of(workloads::parse_workload(workload));
}

std::string refusal(const char* algorithm, const char* workload) {
  const auto topology = topologies::make_topology("single-switch(4)");
  try {
    static_cast<void>(named(algorithm, *topology, workload));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// LeNet-5: 32 x 1 x 5 x 5 + 32 and 64 x 32 x 5 x 5 + 64 gradients before a stack of 3136 inputs.
TEST(HybridNames, AWorkloadHasGradientsAndInputs) {
  constexpr const char* kLenet = "hybrid(model=lenet5, samples=3, host=2)";
  const auto topology = topologies::make_topology("single-switch(4)");
  const Algorithm ring = named("ring", *topology, kLenet);
  const Amount lenet = amount_of(ring, kLenet);
  EXPECT_EQ(lenet.elements, 32u * 25 + 32 + 64 * 32 * 25 + 64);
  EXPECT_EQ(lenet.tensors.size(), 4u);
  const Goal expected = collectives::hybrid::goal(all_reduce(4, lenet.elements),
                                                  {.host = Rank(2), .inputs = 3 * 3136});
  const Goal goal = ring.goal(lenet);
  EXPECT_EQ(goal.elements, expected.elements);
  EXPECT_EQ(goal.begins, expected.begins);
  EXPECT_EQ(goal.ends, expected.ends);
  EXPECT_EQ(named("ring", *topology, "lenet5").collective(), "all-reduce") << "has no stack";
}

// proven_plans throws where Plans do not reach the goal, all inputs and errors in place.
TEST(HybridNames, EveryAllReduceSumsTheGradients) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  constexpr const char* kLenet = "hybrid(model=lenet5, samples=3, host=1)";
  std::vector<std::string> algorithms = {
      "ps(per-tensor)", "ps(servers=1, dedicated)", "ps(servers=2, dedicated)", "all-reduce(bruck)",
      "ring(pieces=5)", "double-tree(pieces=3)",    "hierarchical(groups=2)"};
  for (const AlgorithmKind& kind : algorithm_kinds()) algorithms.emplace_back(kind.name);
  for (const std::string& algorithm : algorithms) {
    if (algorithm == "hierarchical") continue;  // in groups of its own above
    const Algorithm hybrid = named(algorithm, *topology, kLenet);
    EXPECT_NO_THROW(static_cast<void>(hybrid.proven_plans(amount_of(hybrid, kLenet)))) << algorithm;
  }
}

TEST(HybridNames, IsACollectiveOfItsOwn) {
  constexpr const char* kLenet = "hybrid(model=lenet5, samples=3)";
  const auto topology = topologies::make_topology("single-switch(2)");
  EXPECT_EQ(named("ring", *topology, kLenet).collective(), kHybrid);
  EXPECT_FALSE(named("ring", *topology, kLenet).is_all_reduce());
  EXPECT_EQ(named("ring", *topology).collective(), "all-reduce");
  // One worker, whose inputs and errors cross each port once in each direction.
  const Algorithm ps = named("ps(servers=1, dedicated)", *topology, kLenet);
  const Amount amount = amount_of(ps, kLenet);
  EXPECT_DOUBLE_EQ(ps.achieves(amount).bus_factor.value(),
                   3 * 3136 / static_cast<double>(amount.elements));
}

// Its stages are those of its one Plan, of which the last is the all-reduce alone; workers are those who
// sum, and not the dedicated server.
TEST(HybridNames, HasStagesBetweenWhichRanksCompute) {
  constexpr const char* kLenet = "hybrid(model=lenet5, samples=3)";
  const auto topology = topologies::make_topology("single-switch(3)");
  const Algorithm ps = named("ps(servers=1, dedicated)", *topology, kLenet);
  const Algorithm summing = ps.for_elements();
  EXPECT_TRUE(summing.is_all_reduce());
  const Amount amount = amount_of(ps, kLenet);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    const std::vector<Plan> stages = ps.stages(Rank(rank), amount);
    ASSERT_EQ(stages.size(), 3u);
    EXPECT_EQ(in_stages(stages).plan.lanes, ps.plan(Rank(rank), amount).lanes);
    EXPECT_EQ(stages.back(), summing.plan(Rank(rank), amount));
  }
  EXPECT_EQ(ps.workers(amount), contributors(summing.goal(amount)));
  EXPECT_EQ(ps.workers(amount).size(), 2u);
}

TEST(HybridNames, WhatSumsNoGradientsIsRefused) {
  constexpr const char* kLenet = "hybrid(model=lenet5, samples=3)";
  EXPECT_EQ(refusal("ring", kLenet), "none");
  EXPECT_EQ(refusal("all-gather", kLenet),
            "all-gather sums no gradients for everyone; hybrid(...) goes with an all-reduce");
  EXPECT_THAT(refusal("groups(ranks=0-1, run=ring)", kLenet),
              StartsWith("groups(ranks=0-1, run=ring) sums no gradients for everyone"));
  EXPECT_EQ(refusal("gloo(ring)", kLenet),
            "gloo(ring) is a library: it has no Plan for what hybrid(...) moves beside gradients");
  EXPECT_EQ(refusal("ring", "hybrid(model=lenet5, samples=3, host=4)"),
            "hybrid: host=4, and there are 4 ranks");
}

}  // namespace
}  // namespace gradwire::algorithms
