#include "topologies/cost.h"

#include <utility>

#include <gtest/gtest.h>

#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/registry.h"
#include "topologies/single_switch.h"

namespace gradwire::topologies {
namespace {

// BML, section 3.1: kN/n switches. Each of the N hosts has k NICs, k cables and so k switch ports.
TEST(Cost, OfBCubeIsTheClosedForm) {
  for (const auto& [n, k] :
       {std::pair<std::size_t, std::size_t>{3, 2}, {4, 2}, {2, 3}, {5, 1}, {2, 10}, {32, 2}}) {
    const BCube cube(n, k);
    const std::size_t hosts = cube.hosts();
    EXPECT_EQ(cost_of(cube), (Cost{k * hosts / n, k * hosts, k * hosts, k * hosts}));
  }
}

// 5N/p switches of p ports, all in use; one cable per host and two layers of N cables above.
TEST(Cost, OfFatTreeIsTheClosedForm) {
  for (const std::size_t p : {2u, 4u, 6u, 16u, 32u}) {
    const FatTree tree(p);
    const std::size_t hosts = p * p * p / 4;
    EXPECT_EQ(cost_of(tree), (Cost{5 * hosts / p, 5 * hosts, hosts, 3 * hosts}));
    EXPECT_EQ(cost_of(tree).switches, 5 * p * p / 4);
  }
}

TEST(Cost, OfASingleSwitch) {
  EXPECT_EQ(cost_of(SingleSwitch(9)), (Cost{1, 9, 9, 9}));
}

// Every part has a price of its own: 1000 + 20 * 9 + 0.5 * 9 + 3 * 9.
TEST(Cost, HasAPrice) {
  const Cost star = cost_of(SingleSwitch(9));
  const Prices prices{.per_switch = 1000, .per_switch_port = 20, .per_nic = 0.5, .per_cable = 3};
  EXPECT_DOUBLE_EQ(price_of(star, prices), 1211.5);
  EXPECT_DOUBLE_EQ(price_of(star, {}), 0);
}

TEST(Cost, OfATorusHasNoSwitches) {
  EXPECT_EQ(cost_of(*make_topology("torus(3,4)")), (Cost{0, 0, 48, 24}));
}

// BML, section 3.1: with equal ports per switch and equal N, BCube needs k/5 of the switches. 16
// hosts on four-port switches are where both exist.
TEST(Cost, BCubeNeedsKFifthsOfTheSwitches) {
  const BCube cube(4, 2);
  const FatTree tree(4);
  ASSERT_EQ(cube.hosts(), tree.hosts());
  ASSERT_EQ(cube.ports_per_switch(), tree.ports_per_switch());
  EXPECT_EQ(5 * cost_of(cube).switches, 2 * cost_of(tree).switches);
}

// The 1024 servers of BML's Figure 5: 20 % of the switches, but each twice as large, so 40 % of the
// switch ports; twice the NICs and two thirds of the cables.
TEST(Cost, OfTheWiringsFor1024Servers) {
  const BCube cube(32, 2);
  const FatTree tree(16);
  EXPECT_EQ(cost_of(cube), (Cost{64, 2048, 2048, 2048}));
  EXPECT_EQ(cost_of(tree), (Cost{320, 5120, 1024, 3072}));
  EXPECT_EQ(cube.ports_per_switch(), 32u);
  EXPECT_EQ(tree.ports_per_switch(), 16u);
}

// "At k = 4 BCube has more cables": kN against 3N, with 4 NICs per server.
TEST(Cost, FourLevelsNeedMoreCablesThanAFatTree) {
  const BCube cube(2, 4);
  EXPECT_EQ(cost_of(cube).cables, 4 * cube.hosts());
  EXPECT_GT(cost_of(cube).cables, cost_of(FatTree(4)).cables);
}

}  // namespace
}  // namespace gradwire::topologies
