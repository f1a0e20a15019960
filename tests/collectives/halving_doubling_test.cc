#include "collectives/halving_doubling.h"

#include <bit>
#include <string>
#include <vector>

#include "tests/collectives/plans.h"
#include "topologies/registry.h"

/// Halving and doubling against tables made by hand and its closed form.
namespace gradwire::collectives::halving_doubling {
namespace {

using ::testing::ElementsAre;
using testing::make_topology;
using testing::Topology;
using testing::transfers;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements) {
  return testing::plans_of(topology, [&](Rank rank) { return plan(topology, rank, elements); });
}

// Four ranks, four elements: rank q's part lies in slot (q's bits reversed): 0, 2, 1, 3.
TEST(HalvingDoubling, FourRanksTransferByTransfer) {
  const auto topology = make_topology("single-switch(4)");
  const auto plans = plans_of(*topology, 4);
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

// Three ranks: rank 0 folds into rank 1, then ranks 1 and 2 trade halves.
TEST(HalvingDoubling, ThreeRanksFoldAndUnfold) {
  const auto topology = make_topology("single-switch(3)");
  const auto plans = plans_of(*topology, 4);
  ASSERT_EQ(step_count(plans[0]), 4u);
  EXPECT_THAT(transfers(plans, 0), ElementsAre("0 -> 1: [0,4) add"));
  EXPECT_THAT(transfers(plans, 1), ElementsAre("2 -> 1: [0,2) add", "1 -> 2: [2,4) add"));
  EXPECT_THAT(transfers(plans, 2), ElementsAre("2 -> 1: [2,4) put", "1 -> 2: [0,2) put"));
  EXPECT_THAT(transfers(plans, 3), ElementsAre("1 -> 0: [0,4) put"));
}

TEST(HalvingDoubling, SumsCorrectlyForAnyNumberOfRanks) {
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    testing::expect_sums(*make_topology(fmt::format("single-switch({})", ranks)), plan);
  }
  for (const char* wiring : {"bcube(2,4)", "bcube(4,2)", "bcube(3,2)", "fat-tree(4)"}) {
    testing::expect_sums(*make_topology(wiring), plan);
  }
}

// 2 log2 N steps for a power of two, 2 log2 P + 2 otherwise.
TEST(HalvingDoubling, TakesLogarithmicallyManySteps) {
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    const auto log = static_cast<std::size_t>(std::bit_width(ranks)) - 1;
    EXPECT_EQ(step_count(plan(*topology, Rank(0), 100)),
              2 * log + (std::has_single_bit(ranks) ? 0 : 2));
  }
}

// Every rank sends and receives 2(N-1)/N of the gradient; a rank that folds away sends it once and
// gets it once, and its partner carries 2(P-1)/P + 1 each way.
TEST(HalvingDoubling, EveryRankCarriesItsShare) {
  const auto eight = make_topology("single-switch(8)");
  for (const Plan& each : plans_of(*eight, 800)) {
    EXPECT_EQ(count_ports(each), (std::vector<PortCount>{{.sent = 1400, .received = 1400}}));
  }
  const auto five = make_topology("single-switch(5)");
  const auto plans = plans_of(*five, 800);
  EXPECT_EQ(count_ports(plans[0]), (std::vector<PortCount>{{.sent = 800, .received = 800}}));
  EXPECT_EQ(count_ports(plans[1]), (std::vector<PortCount>{{.sent = 2000, .received = 2000}}));
  EXPECT_EQ(count_ports(plans[4]), (std::vector<PortCount>{{.sent = 1200, .received = 1200}}));
}

// 2(N-1)/N T_F for powers of two, 2(P-1)/P + 2 otherwise.
TEST(HalvingDoubling, ClosedFormIsWhatTheLinksCarry) {
  EXPECT_DOUBLE_EQ(closed_form(16), 1.875);
  EXPECT_DOUBLE_EQ(closed_form(9), 3.75);
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans_of(*topology, 3200), 3200), closed_form(ranks))
        << ranks;
  }
}

// Where partners differ in one digit of a BCube(2,k) they share a switch; on a Fat-Tree no uplink
// carries more than a host's cable.
TEST(HalvingDoubling, ClosedFormHoldsOnWiringsOfPowersOfTwo) {
  for (const char* wiring : {"bcube(2,3)", "bcube(2,4)", "fat-tree(4)"}) {
    const auto topology = make_topology(wiring);
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans_of(*topology, 3200), 3200),
                     closed_form(topology->hosts()))
        << wiring;
  }
}

}  // namespace
}  // namespace gradwire::collectives::halving_doubling
