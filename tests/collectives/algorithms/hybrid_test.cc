#include "collectives/algorithms/hybrid.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/amount.h"
#include "core/error.h"
#include "topologies/registry.h"

namespace gradwire::names {
namespace {

using ::testing::StartsWith;

text::Spec spec(const std::string& text) {
  return text::parse_spec(text);
}

std::string refusal(const char* algorithm, const char* workload) {
  const auto topology = topologies::make_topology("single-switch(4)");
  try {
    static_cast<void>(goal_of(spec(algorithm), *topology, amount_of(workload, 0)));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

// LeNet-5: 32 x 1 x 5 x 5 + 32 and 64 x 32 x 5 x 5 + 64 gradients before a stack of 3136 inputs.
TEST(HybridNames, AWorkloadHasGradientsAndInputs) {
  const Amount lenet = amount_of("hybrid(model=lenet5, samples=3, host=2)", 0);
  EXPECT_EQ(lenet.elements, 32u * 25 + 32 + 64 * 32 * 25 + 64);
  EXPECT_EQ(lenet.tensors.size(), 4u);
  ASSERT_TRUE(lenet.stack);
  EXPECT_EQ(lenet.stack->host, Rank(2));
  EXPECT_EQ(lenet.stack->inputs, 3u * 3136);
  EXPECT_FALSE(amount_of("lenet5", 0).stack);
}

// make_checked_plans throws where Plans do not reach the goal, all inputs and errors in place.
TEST(HybridNames, EveryAllReduceSumsTheGradients) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  const Amount amount = amount_of("hybrid(model=lenet5, samples=3, host=1)", 0);
  std::vector<std::string> algorithms = {"ps(per-tensor)",           "ps(servers=1, dedicated)",
                                         "ps(servers=2, dedicated)", "all-reduce(bruck)",
                                         "ring(pieces=5)",           "double-tree(pieces=3)"};
  for (const AlgorithmKind& kind : algorithm_kinds()) algorithms.emplace_back(kind.name);
  for (const std::string& algorithm : algorithms) {
    if (algorithm == "hierarchical") continue;  // in its own groups below
    EXPECT_NO_THROW(static_cast<void>(make_checked_plans(spec(algorithm), *topology, amount)))
        << algorithm;
  }
  EXPECT_NO_THROW(
      static_cast<void>(make_checked_plans(spec("hierarchical(groups=2)"), *topology, amount)));
}

TEST(HybridNames, IsACollectiveOfItsOwn) {
  const Amount amount = amount_of("hybrid(model=lenet5, samples=3)", 0);
  EXPECT_EQ(collective_of(spec("ring"), amount), kHybrid);
  EXPECT_EQ(collective_of(spec("ring"), {.elements = 5}), "all-reduce");
  const auto topology = topologies::make_topology("single-switch(2)");
  // One worker, whose inputs and errors cross each port once in each direction.
  EXPECT_DOUBLE_EQ(*achieved_by(spec("ps(servers=1, dedicated)"), *topology, amount).bus_factor,
                   3 * 3136 / static_cast<double>(amount.elements));
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
}  // namespace gradwire::names
