#include "ringallreduce/plan.h"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/count.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "topologies/bcube.h"
#include "topologies/load.h"
#include "topologies/registry.h"

/// The ring against the tables of the Baidu text and its closed form.
namespace gradwire::ringallreduce {
namespace {

using ::testing::IsEmpty;
using topologies::make_topology;
using topologies::Topology;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements,
                           const Options& options = {}) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(plan(topology, Rank(i), elements, options));
  }
  return plans;
}

/// With five elements on five ranks, chunk c is element c.
class FiveGpus : public ::testing::Test {
 protected:
  const std::unique_ptr<const Topology> topology = make_topology("single-switch(5)");
  const std::vector<Plan> plans = plans_of(*topology, 5);

  void expect_step(std::size_t step, const std::vector<std::size_t>& sent,
                   const std::vector<std::size_t>& received, Combine how) const {
    for (std::size_t gpu = 0; gpu < 5; ++gpu) {
      const Step& each = plans[gpu].lanes[0][step];
      ASSERT_EQ(each.sends.size(), 1u);
      ASSERT_EQ(each.recvs.size(), 1u);
      EXPECT_EQ(each.sends[0].to.rank, Rank((gpu + 1) % 5));
      EXPECT_EQ(each.recvs[0].from.rank, Rank((gpu + 4) % 5));
      EXPECT_EQ(each.sends[0].what, (Extent{sent[gpu], 1})) << "GPU " << gpu;
      EXPECT_EQ(each.recvs[0].where, (Extent{received[gpu], 1})) << "GPU " << gpu;
      EXPECT_EQ(each.recvs[0].how, how);
    }
  }
};

// Scatter-reduce, first iteration: GPU 0 sends chunk 0 and receives chunk 4, and so on.
TEST_F(FiveGpus, FirstScatterReduceIteration) {
  expect_step(0, {0, 1, 2, 3, 4}, {4, 0, 1, 2, 3}, Combine::add);
}

// "Each iteration sending the chunk it received in the previous iteration."
TEST_F(FiveGpus, LaterScatterReduceIterations) {
  expect_step(1, {4, 0, 1, 2, 3}, {3, 4, 0, 1, 2}, Combine::add);
  expect_step(2, {3, 4, 0, 1, 2}, {2, 3, 4, 0, 1}, Combine::add);
  expect_step(3, {2, 3, 4, 0, 1}, {1, 2, 3, 4, 0}, Combine::add);
}

// All-gather, first iteration: GPU 0 sends chunk 1 and receives chunk 0, and so on.
TEST_F(FiveGpus, AllGatherIterations) {
  expect_step(4, {1, 2, 3, 4, 0}, {0, 1, 2, 3, 4}, Combine::replace);
  expect_step(5, {0, 1, 2, 3, 4}, {4, 0, 1, 2, 3}, Combine::replace);
  expect_step(7, {3, 4, 0, 1, 2}, {2, 3, 4, 0, 1}, Combine::replace);
}

TEST(Ring, SumsCorrectlyWhateverTheElementCount) {
  for (const char* wiring : {"single-switch(2)", "single-switch(5)", "single-switch(9)",
                             "bcube(3,2)", "bcube(2,3)", "fat-tree(4)"}) {
    const auto topology = make_topology(wiring);
    for (const std::size_t elements : {0u, 1u, 4u, 97u, 1009u}) {
      for (const std::size_t pieces : {1u, 3u}) {
        const auto plans = plans_of(*topology, elements, {.pieces = pieces});
        EXPECT_THAT(check_plans(plans, elements), IsEmpty()) << wiring << ' ' << elements;
      }
    }
  }
}

// Each rank sends and receives 2(N-1)/N of the gradient, in 2(N-1) steps.
TEST(Ring, EveryRankSendsItsShare) {
  const auto topology = make_topology("single-switch(9)");
  for (const Plan& each : plans_of(*topology, 900)) {
    EXPECT_EQ(step_count(each), 16u);
    EXPECT_EQ(count_ports(each), (std::vector<PortCount>{{.sent = 1600, .received = 1600}}));
  }
  EXPECT_DOUBLE_EQ(closed_form(9), 16.0 / 9);
}

// GST = 2(N-1)/N T_F also where the ring runs through a Fat-Tree or a BCube.
TEST(Ring, ClosedFormIsWhatTheLinksCarry) {
  for (const char* wiring : {"single-switch(9)", "fat-tree(4)", "bcube(3,2)", "bcube(4,2)"}) {
    const auto topology = make_topology(wiring);
    const std::size_t elements = 100 * topology->hosts();
    const double bound = topologies::step_bound(*topology, plans_of(*topology, elements));
    EXPECT_NEAR(bound / static_cast<double>(elements), closed_form(topology->hosts()), 1e-9)
        << wiring;
  }
}

TEST(Ring, NeighboursShareASwitchOnABCube) {
  for (const char* wiring : {"bcube(3,2)", "bcube(2,3)", "bcube(4,2)", "bcube(3,3)"}) {
    const auto topology = make_topology(wiring);
    const std::vector<Rank> order = natural_order(*topology);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto route = topology->route(order[i], order[(i + 1) % order.size()]);
      EXPECT_EQ(route.size(), 2u) << wiring << ": up to the switch and down again";
    }
  }
}

TEST(Ring, FollowsAGivenOrder) {
  const auto topology = make_topology("single-switch(4)");
  const Options options{.order = {Rank(2), Rank(0), Rank(3), Rank(1)}};
  const auto plans = plans_of(*topology, 40, options);
  EXPECT_THAT(check_plans(plans, 40), IsEmpty());
  EXPECT_EQ(plans[2].lanes[0][0].sends[0].to.rank, Rank(0));
  EXPECT_EQ(plans[1].lanes[0][0].sends[0].to.rank, Rank(2)) << "the last sends to the first";
}

TEST(Ring, RefusesAnOrderThatIsNoPermutation) {
  const auto topology = make_topology("single-switch(3)");
  for (const std::vector<Rank>& order :
       {std::vector<Rank>{Rank(0), Rank(1)}, std::vector<Rank>{Rank(0), Rank(1), Rank(1)},
        std::vector<Rank>{Rank(0), Rank(1), Rank(3)}}) {
    EXPECT_THROW(static_cast<void>(plan(*topology, Rank(0), 9, {.order = order})), InputError);
  }
  EXPECT_THROW(static_cast<void>(plan(*topology, Rank(0), 9, {.pieces = 0})), InputError);
}

// A bucket may be smaller than its pieces are many.
TEST(Ring, AChunkHasNoMorePiecesThanElements) {
  const auto topology = make_topology("single-switch(4)");
  const Options most{.pieces = std::numeric_limits<std::size_t>::max()};
  for (const std::size_t elements : {0u, 1u, 3u, 4u, 10u, 12u}) {
    EXPECT_THAT(check_plans(plans_of(*topology, elements, most), elements), IsEmpty());
  }
  EXPECT_EQ(plans_of(*topology, 12, most)[0].lanes[0][0].sends.size(), 3u);
}

}  // namespace
}  // namespace gradwire::ringallreduce
