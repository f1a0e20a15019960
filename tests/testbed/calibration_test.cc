#include "testbed/calibration.h"

#include <cstddef>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "topologies/load.h"
#include "topologies/registry.h"

namespace gradwire::testbed {
namespace {

class CalibrationFlows : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Wirings, CalibrationFlows,
                         ::testing::Values("bcube(3,2)", "bcube(2,3)", "bcube(4,2)",
                                           "single-switch(9)", "fat-tree(4)"));

// Every host's cable carries one flow out and one flow in, and no link carries two.
TEST_P(CalibrationFlows, LoadEveryHostLinkOnceInBothDirections) {
  const auto topology = topologies::make_topology(GetParam());
  topologies::LinkLoad load(*topology);
  for (const Flow& flow : calibration_flows(*topology)) {
    load.add(flow.from, Send{.to = {flow.to, flow.via, flow.at}, .what = {0, 1}});
  }
  EXPECT_EQ(load.max(), 1u);
  for (std::size_t link = 0; link < topology->links().size(); ++link) {
    if (!topology->is_host(topology->links()[link].a.node)) continue;
    EXPECT_EQ(load.at({.link = LinkId(link), .from_a = true}), 1u);
    EXPECT_EQ(load.at({.link = LinkId(link), .from_a = false}), 1u);
  }
}

TEST(PlanOf, SendAndReceiveMeet) {
  const std::vector<Flow> flows{{.from = Rank(0), .via = Port(1), .to = Rank(2), .at = Port(0)}};
  const Plan sender = plan_of(flows, Rank(0), 10);
  const Plan receiver = plan_of(flows, Rank(2), 10);
  EXPECT_EQ(sender.lanes[0][0].sends[0], (Send{{Rank(2), Port(1), Port(0)}, {0, 10}}));
  EXPECT_EQ(receiver.lanes[0][0].recvs[0],
            (Recv{{Rank(0), Port(0), Port(1)}, {0, 10}, Combine::replace}));
  EXPECT_TRUE(plan_of(flows, Rank(1), 10).lanes[0][0].sends.empty());
}

// A host of bcube(8,2) has two ports: its Plan has two lanes, each with a send and a receive, though
// the wiring has 128 flows.
TEST(PlanOf, GrowsWithTheHostNotWithTheWiring) {
  const auto topology = topologies::make_topology("bcube(8,2)");
  const std::vector<Flow> flows = calibration_flows(*topology);
  ASSERT_EQ(flows.size(), 128u);
  EXPECT_EQ(buffer_elements(flows, 10), 20u);
  for (std::size_t rank = 0; rank < topology->hosts(); ++rank) {
    const Plan plan = plan_of(flows, Rank(rank), 10);
    ASSERT_EQ(plan.lanes.size(), 2u);
    for (const Lane& lane : plan.lanes) {
      EXPECT_EQ(lane[0].sends.size(), 1u);
      EXPECT_EQ(lane[0].recvs.size(), 1u);
    }
  }
}

// Every flow is in one group, no group has a host twice or more flows than asked for, and there are
// no more groups than three times what the busiest host needs.
TEST(Apart, SharesNoHost) {
  const auto topology = topologies::make_topology("bcube(4,2)");
  const std::vector<Flow> flows = calibration_flows(*topology);
  std::set<std::size_t> seen;
  const auto groups = apart(flows, 6);
  for (const std::vector<std::size_t>& group : groups) {
    EXPECT_LE(group.size(), 6u);
    std::set<Rank> hosts;
    for (const std::size_t i : group) {
      EXPECT_TRUE(seen.insert(i).second);
      EXPECT_TRUE(hosts.insert(flows[i].from).second);
      EXPECT_TRUE(hosts.insert(flows[i].to).second);
    }
  }
  EXPECT_EQ(seen.size(), flows.size());
  EXPECT_LE(groups.size(), 12u);
}

}  // namespace
}  // namespace gradwire::testbed
