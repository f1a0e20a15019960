#include "collectives/binary_blocks.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "collectives/halving_doubling.h"
#include "tests/collectives/plans.h"
#include "topologies/registry.h"

/// Binary blocks against tables made by hand, and what ports carry.
namespace gradwire::collectives::binary_blocks {
namespace {

using ::testing::ElementsAre;
using testing::make_topology;
using testing::Topology;
using testing::transfers;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements) {
  return testing::plans_of(topology, [&](Rank rank) { return plan(topology, rank, elements); });
}

// Blocks {0, 1} and {2}: rank 2 gives each of the others the part that it holds.
TEST(BinaryBlocks, ThreeRanksTransferByTransfer) {
  const auto topology = make_topology("single-switch(3)");
  const auto plans = plans_of(*topology, 4);
  ASSERT_EQ(step_count(plans[0]), 4u);
  EXPECT_THAT(transfers(plans, 0), ElementsAre("1 -> 0: [0,2) add", "0 -> 1: [2,4) add"));
  EXPECT_THAT(transfers(plans, 1), ElementsAre("2 -> 0: [0,2) add", "2 -> 1: [2,4) add"));
  EXPECT_THAT(transfers(plans, 2), ElementsAre("0 -> 2: [0,2) put", "1 -> 2: [2,4) put"));
  EXPECT_THAT(transfers(plans, 3), ElementsAre("1 -> 0: [2,4) put", "0 -> 1: [0,2) put"));
}

// Blocks {0 .. 3}, {4, 5} and {6}. Ranks 0 to 3 hold the quarters 0, 2, 1, 3; ranks 4 and 5 the halves.
TEST(BinaryBlocks, SevenRanksJoinFromTheSmallestAndReturnFromTheLargest) {
  const auto topology = make_topology("single-switch(7)");
  const auto plans = plans_of(*topology, 4);
  ASSERT_EQ(step_count(plans[0]), 8u);
  EXPECT_THAT(transfers(plans, 2), ElementsAre("6 -> 4: [0,2) add", "6 -> 5: [2,4) add"));
  EXPECT_THAT(transfers(plans, 3), ElementsAre("4 -> 0: [0,1) add", "5 -> 1: [2,3) add",
                                               "4 -> 2: [1,2) add", "5 -> 3: [3,4) add"));
  EXPECT_THAT(transfers(plans, 4), ElementsAre("0 -> 4: [0,1) put", "2 -> 4: [1,2) put",
                                               "1 -> 5: [2,3) put", "3 -> 5: [3,4) put"));
  EXPECT_THAT(transfers(plans, 5), ElementsAre("4 -> 6: [0,2) put", "5 -> 6: [2,4) put"));
}

TEST(BinaryBlocks, SumCorrectlyForAnyNumberOfRanks) {
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    testing::expect_sums(*make_topology(fmt::format("single-switch({})", ranks)), plan);
  }
  for (const char* wiring : {"bcube(3,2)", "bcube(3,3)", "leaf-spine(3,4,2)"}) {
    testing::expect_sums(*make_topology(wiring), plan);
  }
}

// 2m + 2(K-1) steps.
TEST(BinaryBlocks, EveryFurtherBlockTakesTwoSteps) {
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    const auto log = static_cast<std::size_t>(std::bit_width(ranks)) - 1;
    const auto links = static_cast<std::size_t>(std::popcount(ranks)) - 1;
    EXPECT_EQ(step_count(plan(*topology, Rank(0), 100)), 2 * (log + links)) << ranks;
  }
}

TEST(BinaryBlocks, OneBlockIsHalvingAndDoubling) {
  for (const char* wiring : {"single-switch(2)", "single-switch(16)", "bcube(2,3)"}) {
    const auto topology = make_topology(wiring);
    for (std::size_t i = 0; i < topology->hosts(); ++i) {
      EXPECT_EQ(plan(*topology, Rank(i), 1009), halving_doubling::plan(*topology, Rank(i), 1009));
    }
  }
}

// 2(N-1)/N, 2 - 1/B_0 or 2 gradients.
TEST(BinaryBlocks, ClosedFormIsWhatTheMostLoadedPortCarries) {
  EXPECT_DOUBLE_EQ(closed_form(16), 1.875);
  EXPECT_DOUBLE_EQ(closed_form(9), 1.875);
  EXPECT_DOUBLE_EQ(closed_form(11), 2);
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    std::size_t most = 0;
    for (const Plan& each : plans_of(*topology, 3200)) {
      const PortCount port = count_ports(each).at(0);
      most = std::max({most, port.sent, port.received});
    }
    EXPECT_DOUBLE_EQ(static_cast<double>(most), 3200 * closed_form(ranks)) << ranks;
  }
}

}  // namespace
}  // namespace gradwire::collectives::binary_blocks
