#include "collectives/hierarchical.h"

#include <string>
#include <vector>

#include "core/error.h"
#include "ps/plan.h"
#include "tests/collectives/plans.h"
#include "topologies/registry.h"

/// Hierarchical synchronization against section 3.3 of the BML paper and its closed form.
namespace gradwire::collectives::hierarchical {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::make_topology;
using testing::Topology;
using testing::transfers;

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements,
                           const Options& options = {}) {
  return testing::plans_of(topology,
                           [&](Rank rank) { return plan(topology, rank, elements, options); });
}

/// Hosts with one port, `of_leaf[i]` being the switch of host i; cables between switches are left
/// out, for nothing here follows a route.
class Leaves final : public Topology {
 public:
  explicit Leaves(const std::vector<std::size_t>& of_leaf)
      : Topology("leaves", of_leaf.size(), 1, of_leaf.size(), of_leaf.size()) {
    for (std::size_t i = 0; i < of_leaf.size(); ++i) {
      connect({NodeId(i), Port(0)}, {switch_node(of_leaf[i]), Port(i)});
    }
  }
  [[nodiscard]] std::string label(NodeId) const override { return ""; }
  [[nodiscard]] topologies::SwitchKind switch_kind() const override {
    return topologies::SwitchKind::router;
  }
  [[nodiscard]] std::vector<topologies::Tier> tiers() const override { return {}; }
  [[nodiscard]] Port next_port(NodeId, Rank, Port) const override { return Port(0); }
  [[nodiscard]] Port arrival_port(Rank, Rank) const override { return Port(0); }
};

// Six hosts in three groups of two: rank q's part lies in slot 3 (q mod 2) + q/2.
TEST(Hierarchical, SixRanksTransferByTransfer) {
  const auto topology = make_topology("single-switch(6)");
  const auto plans = plans_of(*topology, 6, {.groups = {2}});
  ASSERT_EQ(step_count(plans[0]), 4u);
  EXPECT_THAT(transfers(plans, 0),
              ElementsAre("1 -> 0: [0,3) add", "0 -> 1: [3,6) add", "3 -> 2: [0,3) add",
                          "2 -> 3: [3,6) add", "5 -> 4: [0,3) add", "4 -> 5: [3,6) add"));
  EXPECT_THAT(transfers(plans, 1),
              ElementsAre("2 -> 0: [0,1) add", "4 -> 0: [0,1) add", "3 -> 1: [3,4) add",
                          "5 -> 1: [3,4) add", "4 -> 2: [1,2) add", "0 -> 2: [1,2) add",
                          "5 -> 3: [4,5) add", "1 -> 3: [4,5) add", "0 -> 4: [2,3) add",
                          "2 -> 4: [2,3) add", "1 -> 5: [5,6) add", "3 -> 5: [5,6) add"));
  EXPECT_THAT(transfers(plans, 2),
              ElementsAre("2 -> 0: [1,2) put", "4 -> 0: [2,3) put", "3 -> 1: [4,5) put",
                          "5 -> 1: [5,6) put", "4 -> 2: [2,3) put", "0 -> 2: [0,1) put",
                          "5 -> 3: [5,6) put", "1 -> 3: [3,4) put", "0 -> 4: [0,1) put",
                          "2 -> 4: [1,2) put", "1 -> 5: [3,4) put", "3 -> 5: [4,5) put"));
  EXPECT_THAT(transfers(plans, 3),
              ElementsAre("1 -> 0: [3,6) put", "0 -> 1: [0,3) put", "3 -> 2: [3,6) put",
                          "2 -> 3: [0,3) put", "5 -> 4: [3,6) put", "4 -> 5: [0,3) put"));
}

TEST(Hierarchical, GroupsAreThoseOfTheWiring) {
  EXPECT_THAT(natural_groups(*make_topology("fat-tree(4)"), Rank(5)), ElementsAre(2, 2, 4));
  EXPECT_THAT(natural_groups(*make_topology("fat-tree(8)"), Rank(5)), ElementsAre(4, 4, 8));
  EXPECT_THAT(natural_groups(*make_topology("fat-tree(2)"), Rank(0)), ElementsAre(2));
  EXPECT_THAT(natural_groups(*make_topology("bcube(3,2)"), Rank(5)), ElementsAre(3, 3));
  EXPECT_THAT(natural_groups(*make_topology("single-switch(9)"), Rank(5)), ElementsAre(9));
}

TEST(Hierarchical, GroupsElsewhereAreTheHostsOfASwitch) {
  const Leaves even({0, 0, 1, 1, 2, 2});
  for (std::size_t i = 0; i < 6; ++i) EXPECT_THAT(natural_groups(even, Rank(i)), ElementsAre(2, 3));
  EXPECT_THAT(check_plans(plans_of(even, 60), 60), ::testing::IsEmpty());
}

TEST(Hierarchical, RefusesSwitchesWithUnequalHosts) {
  const Leaves remainder({0, 0, 1, 1, 1});
  EXPECT_THROW(static_cast<void>(natural_groups(remainder, Rank(0))), InputError);
  const Leaves unequal({0, 0, 1, 2, 2, 2});  // the rank that stands in the odd group sees it
  EXPECT_THROW(static_cast<void>(natural_groups(unequal, Rank(2))), InputError);
  EXPECT_THAT(natural_groups(unequal, Rank(5)), ElementsAre(2, 3));
}

// On a Fat-Tree every transfer of step 0 stays at its edge switch, of step 1 in its pod.
TEST(Hierarchical, LowLevelsStayLow) {
  const auto topology = make_topology("fat-tree(4)");
  const auto plans = plans_of(*topology, 16);
  for (std::size_t rank = 0; rank < 16; ++rank) {
    const std::vector<std::size_t> hops{2, 4, 6, 6, 4, 2};
    for (std::size_t step = 0; step < 6; ++step) {
      for (const Send& send : plans[rank].lanes[0][step].sends) {
        EXPECT_EQ(topology->route(Rank(rank), send.to.rank).size(), hops[step]);
      }
    }
  }
}

TEST(Hierarchical, SumsCorrectlyOnEveryWiring) {
  const auto natural = [](const Topology& topology, Rank rank, std::size_t elements) {
    return plan(topology, rank, elements);
  };
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    const auto topology = make_topology(fmt::format("single-switch({})", ranks));
    testing::expect_sums(*topology, natural);
    for (std::size_t group = 1; group <= ranks; ++group) {
      if (ranks % group != 0) continue;
      testing::expect_sums(*topology, [&](const Topology& all, Rank rank, std::size_t elements) {
        return plan(all, rank, elements, {.groups = {group}});
      });
    }
  }
  for (const char* wiring : {"fat-tree(2)", "fat-tree(4)", "bcube(3,2)", "bcube(2,3)"}) {
    testing::expect_sums(*make_topology(wiring), natural);
  }
}

TEST(Hierarchical, EveryRankSendsItsShare) {
  const auto topology = make_topology("fat-tree(4)");
  for (const Plan& each : plans_of(*topology, 1600)) {
    EXPECT_EQ(count_ports(each), (std::vector<PortCount>{{.sent = 3000, .received = 3000}}));
  }
}

// "This synchronization algorithm results in the same GST as running PS algorithm in Fat-Tree":
// 1.8750 T_F with 16 servers (Figure 5), 2(N-1)/N in general.
TEST(Hierarchical, TakesWhatAParameterServerTakesOnAFatTree) {
  EXPECT_DOUBLE_EQ(closed_form(16), 1.875);
  for (const char* wiring : {"fat-tree(4)", "fat-tree(8)"}) {
    const auto topology = make_topology(wiring);
    const std::size_t elements = 10 * topology->hosts();
    const double took = testing::bound(*topology, plans_of(*topology, elements), elements);
    EXPECT_DOUBLE_EQ(took, closed_form(topology->hosts())) << wiring;
    const auto servers = testing::plans_of(
        *topology, [&](Rank rank) { return ps::plan(*topology, rank, elements); });
    EXPECT_DOUBLE_EQ(took, testing::bound(*topology, servers, elements)) << wiring;
  }
}

TEST(Hierarchical, ClosedFormHoldsForAnyGroupsOnOneSwitch) {
  const auto topology = make_topology("single-switch(24)");
  for (const std::vector<std::size_t>& groups :
       {std::vector<std::size_t>{}, {2}, {4}, {24}, {2, 3}, {3, 2, 4}, {2, 2, 2, 3}}) {
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans_of(*topology, 2400, {.groups = groups}), 2400),
                     closed_form(24));
  }
}

TEST(Hierarchical, RefusesGroupsThatAreNotTheHosts) {
  const auto topology = make_topology("single-switch(9)");
  for (const std::vector<std::size_t>& groups :
       {std::vector<std::size_t>{4}, {10}, {0}, {3, 3, 3}}) {
    EXPECT_THROW(static_cast<void>(plan(*topology, Rank(0), 9, {.groups = groups})), InputError);
  }
  try {
    static_cast<void>(plan(*topology, Rank(0), 9, {.groups = {2, 2}}));
    FAIL() << "2 x 2 does not divide 9";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the 9 hosts of single-switch(9) do not fall into"));
  }
}

}  // namespace
}  // namespace gradwire::collectives::hierarchical
