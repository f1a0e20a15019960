#include "schedule/collective_cost.h"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace gradwire::schedule {
namespace {

// Powers of ten apart, so that the digits of a sum say how often each is paid.
constexpr Network kNetwork{.alpha = Seconds(1), .beta = 1e-3, .gamma = 1e-6};

void expect_cost(const Affine& cost, double startups, double betas, double gammas) {
  EXPECT_DOUBLE_EQ(cost.a.count(), startups);
  EXPECT_DOUBLE_EQ(cost.b, betas * 1e-3 + gammas * 1e-6);
}

// TPDS Table II at N = 8: log N = 3, (N-1)/N = 7/8.
TEST(CollectiveCost, BinaryTreePaysEverythingPerLevel) {
  expect_cost(binary_tree(8, kNetwork), 6, 3 * 2, 3);
}

TEST(CollectiveCost, RecursiveDoublingSendsEverythingInEveryStep) {
  expect_cost(recursive_doubling(8, kNetwork), 3, 3, 3);
}

TEST(CollectiveCost, HalvingAndDoublingMovesAsLittleAsARing) {
  expect_cost(halving_doubling(8, kNetwork), 6, 2 * 0.875, 0.875);
}

TEST(CollectiveCost, DoubleBinaryTreesMoveTwiceTheBucket) {
  expect_cost(double_binary_trees(8, kNetwork), 6, 2, 1);
}

TEST(CollectiveCost, RingHasTwoTimesAllOthersSteps) {
  expect_cost(ring(8, kNetwork), 14, 2 * 0.875, 0.875);
  expect_cost(ring_as_plotted(8, kNetwork), 16, 2 * 0.875, 0.875);
}

TEST(CollectiveCost, ParameterServerHasTwoSteps) {
  expect_cost(parameter_server(8, kNetwork), 2, 2 * 0.875, 0.875);
}

// BCube(3,2): 9 servers with 2 links each; BCube(2,3): 8 with 3.
TEST(CollectiveCost, BmlSharesTheRingsBytesAmongLevels) {
  expect_cost(bml(3, 2, kNetwork), 4, 8.0 / 9, 4.0 / 9);
  expect_cost(bml(2, 3, kNetwork), 6, 7.0 / 12, 7.0 / 24);
}

TEST(CollectiveCost, NothingIsSentByOneRank) {
  const std::vector<std::function<Affine(std::size_t, const Network&)>> all{
      binary_tree, recursive_doubling, halving_doubling, double_binary_trees,
      ring,        ring_as_plotted,    parameter_server};
  for (const auto& cost : all) EXPECT_EQ(cost(1, kNetwork), Affine{});
  EXPECT_EQ(bml(1, 2, kNetwork), Affine{});
}

// Not a power of two: log2(6) is taken as it is.
TEST(CollectiveCost, LogarithmsAreNotRounded) {
  expect_cost(recursive_doubling(6, kNetwork), 2.584962500721156, 2.584962500721156,
              2.584962500721156);
}

// INFOCOM, V.A: 90.52, 271.56 and 633.64 us at 2, 4 and 8 nodes are 2(N-1) 45.26 us.
TEST(CollectiveCost, PublishedStartUpTimesAreThoseOfARing) {
  const Network network{.alpha = Seconds(45.26e-6)};
  EXPECT_NEAR(ring(2, network).a.count(), 90.52e-6, 1e-12);
  EXPECT_NEAR(ring(4, network).a.count(), 271.56e-6, 1e-12);
  EXPECT_NEAR(ring(8, network).a.count(), 633.64e-6, 1e-12);
}

}  // namespace
}  // namespace gradwire::schedule
