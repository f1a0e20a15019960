#include <cstddef>
#include <exception>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/binary_blocks.h"
#include "collectives/double_binary_tree.h"
#include "collectives/halving_doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_rings.h"
#include "core/pattern.h"
#include "tests/collectives/plans.h"
#include "tests/transport/rank_group.h"
#include "topologies/bcube.h"
#include "topologies/registry.h"

/// The Plans run: every element of every rank ends as the exact sum.
namespace gradwire::collectives {
namespace {

using testing::make_topology;
using testing::Topology;
using transport::testing::Loopback;
using transport::testing::RankContext;

/// Runs the Plans twice in memory with fresh data and counts wrong elements.
std::size_t wrong_elements(const std::vector<Plan>& plans, std::size_t elements) {
  std::vector<Rank> ranks;
  for (std::size_t i = 0; i < plans.size(); ++i) ranks.emplace_back(i);
  Loopback transport(plans.size());
  std::vector<std::size_t> wrong(plans.size(), 0);
  const auto endings = transport::testing::run_ranks(
      transport, std::span<const Plan>(plans), elements, [&](RankContext& rank) {
        for (std::size_t iteration = 0; iteration < 2; ++iteration) {
          const Pattern pattern(ranks, iteration);
          pattern.fill(rank.gradient, rank.self);
          rank.rendezvous.barrier();
          rank.executor.execute();
          wrong[rank.self.index()] += pattern.count_wrong(rank.gradient);
          rank.rendezvous.barrier();
        }
      });
  for (const std::exception_ptr& ending : endings) {
    if (ending) std::rethrow_exception(ending);
  }
  std::size_t sum = 0;
  for (const std::size_t count : wrong) sum += count;
  return sum;
}

template <class MakePlan>
void expect_exact_sums(const Topology& topology, const MakePlan& make_plan) {
  for (const std::size_t elements : {0u, 1u, 7u, 97u, 1000u, 100'003u}) {
    const auto plans =
        testing::plans_of(topology, [&](Rank rank) { return make_plan(topology, rank, elements); });
    EXPECT_EQ(wrong_elements(plans, elements), 0u) << topology.name() << ' ' << elements;
  }
}

TEST(CollectivesExecute, HalvingDoubling) {
  expect_exact_sums(*make_topology("single-switch(8)"), halving_doubling::plan);
  expect_exact_sums(*make_topology("single-switch(7)"), halving_doubling::plan);
}

TEST(CollectivesExecute, BinaryBlocks) {
  expect_exact_sums(*make_topology("single-switch(7)"), binary_blocks::plan);
  expect_exact_sums(*make_topology("single-switch(9)"), binary_blocks::plan);
}

TEST(CollectivesExecute, DoubleBinaryTree) {
  for (const char* wiring :
       {"single-switch(2)", "single-switch(3)", "single-switch(8)", "bcube(3,2)"}) {
    expect_exact_sums(*make_topology(wiring),
                      [](const Topology& topology, Rank rank, std::size_t elements) {
                        return double_binary_tree::plan(topology, rank, elements);
                      });
  }
}

TEST(CollectivesExecute, StripedRings) {
  expect_exact_sums(*make_topology("bcube(3,2)"), striped_rings::plan);
  expect_exact_sums(*make_topology("bcube(2,3)"), striped_rings::plan);
}

TEST(CollectivesExecute, Hierarchical) {
  for (const char* wiring : {"fat-tree(4)", "bcube(3,2)"}) {
    expect_exact_sums(*make_topology(wiring),
                      [](const Topology& topology, Rank rank, std::size_t elements) {
                        return hierarchical::plan(topology, rank, elements);
                      });
  }
}

TEST(CollectivesExecute, StagedBCube) {
  const topologies::BCube wiring(3, 2);
  expect_exact_sums(wiring, [&](const Topology&, Rank rank, std::size_t elements) {
    return staged_bcube::plan(wiring, rank, elements);
  });
}

}  // namespace
}  // namespace gradwire::collectives
