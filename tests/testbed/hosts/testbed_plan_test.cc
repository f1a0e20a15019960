#include "testbed/hosts/testbed_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "topologies/registry.h"

namespace gradwire::hosts {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Hosts h0, h1, ... of a wiring, with `more` in every line and PCI addresses.
std::vector<ListedHost> host_list_of(const topologies::Topology& topology,
                                     const std::string& network = "192.168.7.",
                                     const std::string& column = "user",
                                     const std::string& more = "bench") {
  std::string text = "name,address," + column;
  for (std::size_t i = 0; i < topology.ports_per_host(); ++i) text += fmt::format(",port{}", i);
  for (std::size_t rank = 0; rank < topology.hosts(); ++rank) {
    text += fmt::format("\nh{},{}{},{}", rank, network, rank + 1, more);
    for (std::size_t i = 0; i < topology.ports_per_host(); ++i) text += fmt::format(",3b:00.{}", i);
  }
  return load_host_list_text(text, "hosts.csv", topology);
}

TestbedPlan made_plan_of(const char* wiring, const std::vector<std::string>& control = {}) {
  auto topology = require_cabling(topologies::make_topology(wiring));
  auto hosts = host_list_of(*topology);
  return plan_testbed(std::move(topology), std::move(hosts), control);
}

/// What it says of hosts with such addresses.
std::string refusal_of_network(const std::string& network,
                               const std::vector<std::string>& control = {},
                               const std::string& column = "user",
                               const std::string& more = "bench") {
  auto topology = require_cabling(topologies::make_topology("bcube(2,2)"));
  try {
    auto hosts = host_list_of(*topology, network, column, more);
    static_cast<void>(plan_testbed(std::move(topology), std::move(hosts), control));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// BCube(3,2), host 5 = digits 1,2: port 0 at switch 1 of level 0, port 2; port 1 at switch 2 of
// level 1, port 1.
TEST(TestbedPlan, ABCubeHostHasAPortPerLevel) {
  const TestbedPlan plan = made_plan_of("bcube(3,2)");
  ASSERT_EQ(plan.hosts.size(), 9u);
  EXPECT_EQ(plan.device_pattern, "bc{level}");
  EXPECT_TRUE(plan.relays);
  const TestbedHost& host = plan.hosts[5];
  EXPECT_EQ(host.ports[0].switch_name, "L0-1");
  EXPECT_EQ(host.ports[0].switch_port, Port(2));
  EXPECT_EQ(to_string(host.ports[0].address), "10.100.1.3/24");
  EXPECT_EQ(host.ports[1].switch_name, "L1-2");
  EXPECT_EQ(host.ports[1].switch_port, Port(1));
  EXPECT_EQ(host.ports[1].device, "bc1");
  EXPECT_EQ(host.ports[1].rdma, "rbc1");
  ASSERT_EQ(host.ports[1].neighbours.size(), 2u);
  EXPECT_EQ(host.ports[1].neighbours[1].host, "h8");
  EXPECT_EQ(host.ports[1].neighbours[1].port, Port(1));
  EXPECT_EQ(to_string(host.ports[1].neighbours[1].address), "10.101.2.3");
  EXPECT_EQ(host.routes.size(), 4u) << "six subnets, two of them its own";
  for (const TestbedRoute& route : host.routes) EXPECT_FALSE(route.on_link);
}

// A server keeps the default route that it has.
TEST(TestbedPlan, AFatTreeHostHasARouteToEveryPod) {
  const TestbedPlan plan = made_plan_of("fat-tree(4)");
  EXPECT_EQ(plan.device_pattern, "data{level}");
  EXPECT_FALSE(plan.relays);
  const TestbedHost& host = plan.hosts[6];
  EXPECT_EQ(host.ports[0].switch_name, "P1-E1");
  EXPECT_EQ(to_string(host.ports[0].address), "10.1.1.2/32");
  ASSERT_EQ(host.ports[0].neighbours.size(), 1u);
  EXPECT_EQ(host.ports[0].neighbours[0].host, "h7");
  ASSERT_EQ(host.routes.size(), 4u);
  EXPECT_EQ(to_string(host.routes[3].to), "10.3.0.0/16");
  EXPECT_EQ(to_string(host.routes[3].gateway), "10.1.1.1");
  EXPECT_TRUE(host.routes[3].on_link);
}

TEST(TestbedPlan, ASingleSwitchHasOneSubnet) {
  const TestbedPlan plan = made_plan_of("single-switch(3)");
  EXPECT_TRUE(plan.hosts[0].routes.empty());
  EXPECT_FALSE(plan.relays);
  EXPECT_EQ(plan.hosts[2].ports[0].switch_name, "S0");
  EXPECT_EQ(plan.hosts[2].ports[0].neighbours.size(), 2u);
}

TEST(TestbedPlan, SwitchesHaveWordsForNames) {
  const auto tree = topologies::make_topology("fat-tree(4)");
  EXPECT_EQ(tree->switch_word(tree->switch_node(3)), "P1-E1");
  EXPECT_EQ(tree->switch_word(tree->switch_node(15)), "P3-A1");
  EXPECT_EQ(tree->switch_word(tree->switch_node(19)), "C3");
}

TEST(TestbedPlan, KeepsNamesThatAreGiven) {
  auto topology = require_cabling(topologies::make_topology("single-switch(2)"));
  auto hosts = load_host_list_text("name,address,port0\na,10.9.0.1,eth1\nb,10.9.0.2,3b:00.0\n",
                                   "hosts.csv", *topology);
  const TestbedPlan plan = plan_testbed(std::move(topology), std::move(hosts), {});
  EXPECT_EQ(plan.device_pattern, std::nullopt);
  EXPECT_EQ(plan.hosts[0].ports[0].device, "eth1");
  EXPECT_EQ(plan.hosts[0].ports[0].rdma, "reth1");
  EXPECT_EQ(plan.hosts[1].ports[0].device, "data0");
}

TEST(TestbedPlan, RefusesTwoInterfacesOfOneName) {
  auto topology = require_cabling(topologies::make_topology("bcube(2,2)"));
  auto hosts = load_host_list_text(
      "name,address,port0,port1\na,10.9.0.1,3b:00.0,bc0\nb,10.9.0.2,3b:00.0,3b:00.1\n"
      "c,10.9.0.3,3b:00.0,3b:00.1\nd,10.9.0.4,3b:00.0,3b:00.1\n",
      "hosts.csv", *topology);
  try {
    static_cast<void>(plan_testbed(std::move(topology), std::move(hosts), {}));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith("hosts.csv:2:20: "), HasSubstr("two interfaces")));
  }
}

TEST(TestbedPlan, FindsTheControlNetwork) {
  EXPECT_THAT(made_plan_of("bcube(2,2)").control, ElementsAre("192.168.7.0/24"));
  EXPECT_THAT(made_plan_of("bcube(2,2)", {"eno1", "10.1.0.0/16"}).control,
              ElementsAre("eno1", "10.1.0.0/16"));
  const auto with_device = [](const char* network) {
    auto topology = require_cabling(topologies::make_topology("bcube(2,2)"));
    auto hosts = host_list_of(*topology, network, "control_device", "eno1");
    return plan_testbed(std::move(topology), std::move(hosts), {}).control;
  };
  EXPECT_THAT(with_device("192.168.7."), ElementsAre("192.168.7.0/24"));
  EXPECT_THAT(with_device("host"), ElementsAre("eno1"));
}

TEST(TestbedPlan, RefusesAControlNetworkWithinTheWiring) {
  EXPECT_THAT(refusal_of_network("10.100.1."),
              AllOf(StartsWith("hosts.csv:2:4: h0 is to be reached at"),
                    HasSubstr("10.100.1.0/24, a subnet of the wiring")));
  EXPECT_THAT(refusal_of_network("192.168.7.", {"10.0.0.0/8"}),
              HasSubstr("overlaps 10.100.0.0/24"));
  EXPECT_THAT(refusal_of_network("192.168.7.", {"10.0.0.0/99"}), HasSubstr("expected a subnet"));
  EXPECT_THAT(refusal_of_network("192.168.7.", {"bc1"}), HasSubstr("bc1 is a port of the wiring"));
  EXPECT_THAT(refusal_of_network("host"),
              AllOf(StartsWith("hosts.csv:2:4: "), HasSubstr("--control")));
  EXPECT_THAT(refusal_of_network("127.0.0."), HasSubstr("--control"));
  EXPECT_THAT(refusal_of_network("host", {}, "control_device", "bc0"),
              HasSubstr("two interfaces called bc0"));
}

TEST(TestbedPlan, RefusesWiringsOfPaper) {
  for (const char* wiring : {"torus(4,4)", "fat-tree(4,nics=2)", "leaf-spine(2,2,2)"}) {
    try {
      static_cast<void>(require_cabling(topologies::make_topology(wiring)));
      ADD_FAILURE() << wiring;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot be cabled"), HasSubstr("bcube(n,k)")));
    }
  }
}

}  // namespace
}  // namespace gradwire::hosts
