#include "collectives/striped_rings.h"

#include <memory>
#include <string>
#include <vector>

#include "ringallreduce/plan.h"
#include "tests/collectives/plans.h"
#include "topologies/registry.h"

/// Rings side by side against the ring, and against their closed form.
namespace gradwire::collectives::striped_rings {
namespace {

using ::testing::ElementsAre;
using testing::make_topology;
using testing::Topology;
using testing::transfers;

/// n hosts with k ports, port t on switch t: every port reaches every host.
class Rails final : public Topology {
 public:
  Rails(std::size_t n, std::size_t k) : Topology("rails", n, k, k, n) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t t = 0; t < k; ++t) connect({NodeId(i), Port(t)}, {switch_node(t), Port(i)});
    }
  }
  [[nodiscard]] std::string label(NodeId) const override { return ""; }
  [[nodiscard]] topologies::SwitchKind switch_kind() const override {
    return topologies::SwitchKind::bridge;
  }
  [[nodiscard]] std::vector<topologies::Tier> tiers() const override {
    return {{"rails", 0, switches()}};
  }
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override {
    return is_host(at) ? to_port : Port(to.index());
  }
  [[nodiscard]] Port arrival_port(Rank, Rank) const override { return Port(0); }
};

std::vector<Plan> plans_of(const Topology& topology, std::size_t elements) {
  return testing::plans_of(topology, [&](Rank rank) { return plan(topology, rank, elements); });
}

// Three hosts on two rails, six elements: lane 0 has [0,3), lane 1 [3,6), a chunk is one element.
TEST(StripedRings, ThreeRanksTransferByTransfer) {
  const auto plans = plans_of(Rails(3, 2), 6);
  ASSERT_EQ(plans[0].lanes.size(), 2u);
  ASSERT_EQ(step_count(plans[0]), 4u);
  EXPECT_THAT(transfers(plans, 0, 0),
              ElementsAre("2 -> 0: [2,3) add", "0 -> 1: [0,1) add", "1 -> 2: [1,2) add"));
  EXPECT_THAT(transfers(plans, 1, 0),
              ElementsAre("2 -> 0: [1,2) add", "0 -> 1: [2,3) add", "1 -> 2: [0,1) add"));
  EXPECT_THAT(transfers(plans, 2, 0),
              ElementsAre("2 -> 0: [0,1) put", "0 -> 1: [1,2) put", "1 -> 2: [2,3) put"));
  EXPECT_THAT(transfers(plans, 3, 0),
              ElementsAre("2 -> 0: [2,3) put", "0 -> 1: [0,1) put", "1 -> 2: [1,2) put"));
  EXPECT_THAT(transfers(plans, 0, 1),
              ElementsAre("2 -> 0: [5,6) add", "0 -> 1: [3,4) add", "1 -> 2: [4,5) add"));
  EXPECT_THAT(transfers(plans, 3, 1),
              ElementsAre("2 -> 0: [5,6) put", "0 -> 1: [3,4) put", "1 -> 2: [4,5) put"));
}

TEST(StripedRings, LaneTUsesPortTAtBothEnds) {
  for (const Plan& each : plans_of(Rails(5, 3), 150)) {
    ASSERT_EQ(each.lanes.size(), 3u);
    for (std::size_t t = 0; t < 3; ++t) {
      for (const Step& step : each.lanes[t]) {
        EXPECT_EQ(step.sends.at(0).to.via, Port(t));
        EXPECT_EQ(step.sends.at(0).to.at, Port(t));
      }
    }
  }
}

TEST(StripedRings, SumsCorrectlyWhateverTheElementCount) {
  for (std::size_t ranks = 2; ranks <= 33; ++ranks) {
    testing::expect_sums(*make_topology(fmt::format("single-switch({})", ranks)), plan);
    testing::expect_sums(Rails(ranks, 2), plan);
  }
  testing::expect_sums(Rails(7, 4), plan);
  for (const char* wiring :
       {"bcube(3,2)", "bcube(4,2)", "bcube(2,3)", "bcube(3,3)", "bcube(5,1)", "fat-tree(4)"}) {
    testing::expect_sums(*make_topology(wiring), plan);
  }
}

TEST(StripedRings, WithOnePortItIsTheRing) {
  for (const char* wiring : {"single-switch(9)", "fat-tree(4)", "bcube(5,1)"}) {
    const auto topology = make_topology(wiring);
    for (std::size_t i = 0; i < topology->hosts(); ++i) {
      EXPECT_EQ(plan(*topology, Rank(i), 97), ringallreduce::plan(*topology, Rank(i), 97));
    }
  }
}

// Each port carries 2(N-1)/(kN) of the gradient both ways.
TEST(StripedRings, EveryPortCarriesItsShare) {
  for (const Plan& each : plans_of(Rails(4, 2), 80)) {
    EXPECT_EQ(count_ports(each),
              (std::vector<PortCount>{{.sent = 60, .received = 60}, {.sent = 60, .received = 60}}));
  }
}

TEST(StripedRings, ClosedFormIsWhatTheLinksCarry) {
  EXPECT_DOUBLE_EQ(closed_form(16, 2), 0.9375);
  for (const std::size_t ports : {1u, 2u, 4u, 8u}) {
    const Rails rails(6, ports);
    const std::size_t elements = 60 * ports;
    EXPECT_DOUBLE_EQ(testing::bound(rails, plans_of(rails, elements), elements),
                     closed_form(6, ports));
  }
}

// BCube(n,2): where lane 0 turns from level 0 to level 1, lane 1 turns the other way.
TEST(StripedRings, TwoRingsShareNoLinkOfABCube) {
  for (const char* wiring : {"bcube(2,2)", "bcube(3,2)", "bcube(4,2)", "bcube(5,2)"}) {
    const auto topology = make_topology(wiring);
    const std::size_t elements = 10 * 2 * topology->hosts();
    const auto plans = plans_of(*topology, elements);
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans, elements), closed_form(topology->hosts(), 2))
        << wiring;
  }
}

// Where digits are 0 lanes go on turning: k-1 of them meet at one port.
TEST(StripedRings, MoreRingsShareLinksOfABCube) {
  for (const char* wiring :
       {"bcube(2,3)", "bcube(3,3)", "bcube(4,3)", "bcube(2,4)", "bcube(3,4)"}) {
    const auto topology = make_topology(wiring);
    const std::size_t ports = topology->ports_per_host();
    const std::size_t elements = ports * topology->hosts();
    const auto plans = plans_of(*topology, elements);
    EXPECT_DOUBLE_EQ(testing::bound(*topology, plans, elements),
                     static_cast<double>(ports - 1) * closed_form(topology->hosts(), ports))
        << wiring;
  }
}

}  // namespace
}  // namespace gradwire::collectives::striped_rings
