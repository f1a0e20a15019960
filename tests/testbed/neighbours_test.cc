#include "testbed/neighbours.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testbed/net_namespace.h"
#include "testbed/netlink.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/registry.h"

/// Frames between the hosts of wirings that stand, well cabled and not.
namespace gradwire::testbed {
namespace {

using namespace std::chrono_literals;

struct StandingNeighbours {
  explicit StandingNeighbours(const std::string& name, std::size_t mtu = 9000)
      : topology(topologies::make_topology(name)),
        addresses(topologies::plan_addresses(*topology)),
        emulation(*topology, addresses, shape_for({1e9}, mtu)) {}

  [[nodiscard]] std::vector<Hearing> listen(Nanoseconds patience, std::size_t mtu = 9000) const {
    return listen_to_neighbours(emulation, *topology, mtu, clock, patience);
  }

  SteadyClock clock;
  std::unique_ptr<const topologies::Topology> topology;
  topologies::AddressPlan addresses;
  Emulation emulation;
};

// Every port hears the n-1 others of its switch, and the one before it with a full frame, too.
int check_all_heard() {
  const StandingNeighbours bcube("bcube(3,2)");
  const std::vector<Hearing> heard = bcube.listen(60s);
  if (heard.size() != 9 * 2 * 2) return 1;
  const auto full = std::ranges::count_if(heard, &Hearing::full);
  if (full != 9 * 2) return 2;
  if (!misplaced_ports(*bcube.topology, heard).empty()) return 3;
  return small_ports(*bcube.topology, heard, 9000).empty() ? 0 : 4;
}

TEST(Neighbours, HearEachOther) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_all_heard), 0);
}

/// The switch's interface of the cable to a host's port.
std::string end_of(const StandingNeighbours& standing, Rank rank, Port port) {
  const auto far = standing.topology->opposite({standing.topology->host(rank), port});
  const auto spaces = standing.emulation.switch_spaces();
  for (const auto& end : spaces.front().interfaces) {
    if (end.node == far.node && end.port == far.port) return end.name;
  }
  return "";
}

// Ports 1 of rank 0 and rank 4 are in each other's switch: 1,0 and 1,1.
int check_swapped() {
  const StandingNeighbours bcube("bcube(3,2)");
  {
    const InNamespace inside(bcube.emulation.switch_spaces().front().namespace_fd);
    Netlink netlink;
    netlink.attach_to_bridge(end_of(bcube, Rank(0), Port(1)), "s4");
    netlink.attach_to_bridge(end_of(bcube, Rank(4), Port(1)), "s3");
  }
  const std::vector<std::string> expected{
      "rank 0, port 1 is on level 1 switch 1 instead of level 1 switch 0",
      "rank 4, port 1 is on level 1 switch 0 instead of level 1 switch 1"};
  // It waits for those that cannot come.
  return misplaced_ports(*bcube.topology, bcube.listen(500ms)) == expected ? 0 : 1;
}

TEST(Neighbours, HearWhoIsOnTheirSwitchInstead) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_swapped), 0);
}

// Ports that were built with an MTU of 1500 pass short frames, and none of 9000.
int check_small() {
  const StandingNeighbours pair("single-switch(2)", 1500);
  const std::vector<std::string> expected{
      "rank 0, port 0, or rank 1, port 0 passes no frame of MTU 9000, only short ones"};
  if (small_ports(*pair.topology, pair.listen(200ms), 9000) != expected) return 1;
  return small_ports(*pair.topology, pair.listen(60s, 1500), 1500).empty() ? 0 : 2;
}

TEST(Neighbours, HearNoFramesThatAreTooLong) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_small), 0);
}

// Where switches route, a host has no neighbours.
int check_routers() {
  const StandingNeighbours tree("fat-tree(2)");
  return tree.listen(60s).empty() ? 0 : 1;
}

TEST(Neighbours, AreNoneBehindRouters) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox(check_routers), 0);
}

}  // namespace
}  // namespace gradwire::testbed
