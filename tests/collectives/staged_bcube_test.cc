#include "collectives/staged_bcube.h"

#include <utility>
#include <vector>

#include "bml/plan.h"
#include "tests/collectives/plans.h"
#include "topologies/bcube.h"

/// BML without rotation against its closed form, and against BML.
namespace gradwire::collectives::staged_bcube {
namespace {

using ::testing::ElementsAre;
using testing::transfers;
using topologies::BCube;

constexpr std::pair<std::size_t, std::size_t> kSizes[] = {{2, 1}, {5, 1}, {3, 2}, {4, 2},
                                                          {2, 3}, {3, 3}, {2, 4}};

std::vector<Plan> plans_of(const BCube& wiring, std::size_t elements) {
  return testing::plans_of(wiring, [&](Rank rank) { return plan(wiring, rank, elements); });
}

// BCube(2,2): hosts 0,0 0,1 1,0 1,1; level 0 joins 0-1 and 2-3, level 1 joins 0-2 and 1-3.
TEST(StagedBCube, FourRanksTransferByTransfer) {
  const auto plans = plans_of(BCube(2, 2), 4);
  ASSERT_EQ(step_count(plans[0]), 4u);
  EXPECT_THAT(transfers(plans, 0), ElementsAre("1 -> 0: [0,2) add", "0 -> 1: [2,4) add",
                                               "3 -> 2: [0,2) add", "2 -> 3: [2,4) add"));
  EXPECT_THAT(transfers(plans, 1), ElementsAre("2 -> 0: [0,1) add", "3 -> 1: [2,3) add",
                                               "0 -> 2: [1,2) add", "1 -> 3: [3,4) add"));
  EXPECT_THAT(transfers(plans, 2), ElementsAre("2 -> 0: [1,2) put", "3 -> 1: [3,4) put",
                                               "0 -> 2: [0,1) put", "1 -> 3: [2,3) put"));
  EXPECT_THAT(transfers(plans, 3), ElementsAre("1 -> 0: [2,4) put", "0 -> 1: [0,2) put",
                                               "3 -> 2: [2,4) put", "2 -> 3: [0,2) put"));
}

TEST(StagedBCube, SumsCorrectlyOnEveryBCube) {
  for (const auto& [n, k] : kSizes) {
    const BCube wiring(n, k);
    testing::expect_sums(wiring, [&](const topologies::Topology&, Rank rank, std::size_t elements) {
      return plan(wiring, rank, elements);
    });
  }
}

// Step l, and the one that mirrors it, go through port l only and to its neighbours.
TEST(StagedBCube, UsesOneLevelAtATime) {
  const BCube wiring(3, 3);
  for (const Plan& each : plans_of(wiring, 270)) {
    ASSERT_EQ(each.lanes.size(), 1u);
    ASSERT_EQ(each.lanes[0].size(), 6u);
    const std::vector<std::size_t> levels{0, 1, 2, 2, 1, 0};
    for (std::size_t step = 0; step < 6; ++step) {
      EXPECT_EQ(each.lanes[0][step].sends.size(), 2u);
      for (const Send& send : each.lanes[0][step].sends) {
        EXPECT_EQ(send.to.via, Port(levels[step]));
        EXPECT_EQ(send.to.at, Port(levels[step]));
      }
    }
  }
}

// Port l carries (n-1)/n^(l+1) of the gradient in each of its two steps.
TEST(StagedBCube, PortsCarryTheirShare) {
  for (const Plan& each : plans_of(BCube(3, 2), 900)) {
    EXPECT_EQ(count_ports(each), (std::vector<PortCount>{{.sent = 1200, .received = 1200},
                                                         {.sent = 400, .received = 400}}));
  }
}

// 2(N-1)/N T_F, k times BML's.
TEST(StagedBCube, TakesKTimesAsLongAsBml) {
  for (const auto& [n, k] : kSizes) {
    const BCube wiring(n, k);
    const std::size_t elements = 10 * k * wiring.hosts();
    const double took = testing::bound(wiring, plans_of(wiring, elements), elements);
    EXPECT_DOUBLE_EQ(took, closed_form(n, k));
    const auto bml =
        testing::plans_of(wiring, [&](Rank rank) { return bml::plan(wiring, rank, elements); });
    EXPECT_DOUBLE_EQ(took, static_cast<double>(k) * testing::bound(wiring, bml, elements));
  }
}

}  // namespace
}  // namespace gradwire::collectives::staged_bcube
