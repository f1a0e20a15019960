#include "testbed/calibration.h"

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

TEST(PlansOf, SendAndReceiveMeet) {
  const std::vector<Flow> flows{{.from = Rank(0), .via = Port(1), .to = Rank(2), .at = Port(0)}};
  const auto plans = plans_of(flows, 3, 10);
  EXPECT_EQ(plans[0].lanes[0][0].sends[0], (Send{{Rank(2), Port(1), Port(0)}, {0, 10}}));
  EXPECT_EQ(plans[2].lanes[0][0].recvs[0],
            (Recv{{Rank(0), Port(0), Port(1)}, {0, 10}, Combine::replace}));
  EXPECT_TRUE(plans[1].lanes[0][0].sends.empty());
}

}  // namespace
}  // namespace gradwire::testbed
