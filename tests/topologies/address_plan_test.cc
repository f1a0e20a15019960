#include "topologies/address_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "topologies/registry.h"

namespace gradwire::topologies {
namespace {

using ::testing::HasSubstr;

std::uint32_t mask(unsigned length) {
  return length == 0 ? 0 : ~std::uint32_t{0} << (32 - length);
}

/// Forwards packets as IP stacks do that know nothing but the plan: the longest matching prefix
/// among a node's own subnets and its static routes, then the neighbour of that address on the
/// link.
class IpWalk {
 public:
  IpWalk(const Topology& topology, const AddressPlan& plan) : topology_(topology), plan_(plan) {}

  /// The hops from host `from` to the address of `to`'s port; ends early when a packet is dropped.
  [[nodiscard]] std::vector<Hop> hops(Rank from, Rank to, Port to_port) const {
    const Ipv4 goal = addresses(topology_.host(to)).ports[to_port.index()].address;
    std::vector<Hop> hops;
    NodeId at = topology_.host(from);
    while (!owns(at, goal) && hops.size() < 100) {
      const auto choice = longest_match(at, goal);
      if (!choice) return hops;
      const Attachment out{at, choice->via};
      const auto arrived = deliver(out, choice->gateway.value_or(goal), hops);
      if (!arrived) return hops;
      at = arrived->node;
    }
    return hops;
  }

 private:
  [[nodiscard]] const NodeAddresses& addresses(NodeId node) const {
    return plan_.nodes[node.index()];
  }

  [[nodiscard]] bool owns(NodeId node, Ipv4 address) const {
    return std::ranges::any_of(addresses(node).ports,
                               [&](const PortAddress& own) { return own.address == address; });
  }

  [[nodiscard]] std::optional<StaticRoute> longest_match(NodeId at, Ipv4 goal) const {
    std::optional<StaticRoute> best;
    const auto consider = [&](const StaticRoute& route) {
      const std::uint32_t bits = mask(route.to.length);
      if ((goal.value & bits) != route.to.address.value) return;
      if (!best || route.to.length > best->to.length) best = route;
    };
    const NodeAddresses& node = addresses(at);
    for (std::size_t port = 0; port < node.ports.size(); ++port) {
      const auto& [address, length] = node.ports[port];
      if (length == 32) continue;  // a single address puts no neighbour on the link
      consider({{{address.value & mask(length)}, length}, std::nullopt, Port(port)});
    }
    for (const StaticRoute& route : node.routes) consider(route);
    return best;
  }

  /// Sends a frame out to whoever on the link has the address at the port that hears it.
  [[nodiscard]] std::optional<Attachment> deliver(Attachment out, Ipv4 next,
                                                  std::vector<Hop>& hops) const {
    const auto cross = [&](Attachment from) {
      const LinkId link = topology_.link_at(from);
      hops.push_back({link, topology_.links()[link.index()].a == from});
      return topology_.opposite(from);
    };
    const auto hears = [&](Attachment end) {
      const NodeAddresses& node = addresses(end.node);
      return !node.ports.empty() && node.ports[end.port.index()].address == next;
    };
    const Attachment peer = cross(out);
    if (hears(peer)) return peer;
    if (topology_.is_host(peer.node) || topology_.switch_kind() == SwitchKind::router) return {};
    for (std::size_t port = 0; port < topology_.ports_per_switch(); ++port) {
      const Attachment bridge_port{peer.node, Port(port)};
      if (hears(topology_.opposite(bridge_port))) return cross(bridge_port);
    }
    return {};
  }

  const Topology& topology_;
  const AddressPlan& plan_;
};

class PlannedWiring : public ::testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<const Topology> topology_ = make_topology(GetParam());
  AddressPlan plan_ = plan_addresses(*topology_);
};

// The plan's addresses and static routes alone take a packet over exactly the wiring's own links.
TEST_P(PlannedWiring, ForwardsAsTheTopologySays) {
  const IpWalk walk(*topology_, plan_);
  for (std::size_t from = 0; from < topology_->hosts(); ++from) {
    for (std::size_t to = 0; to < topology_->hosts(); ++to) {
      for (std::size_t port = 0; from != to && port < topology_->ports_per_host(); ++port) {
        EXPECT_EQ(walk.hops(Rank(from), Rank(to), Port(port)),
                  topology_->route(Rank(from), Rank(to), Port(port)))
            << from << " to " << to << " port " << port;
      }
    }
  }
}

// No two nodes share an address, and a host never has one twice.
TEST_P(PlannedWiring, AddressesAreDistinct) {
  ASSERT_EQ(plan_.nodes.size(), topology_->hosts() + topology_->switches());
  std::map<Ipv4, std::size_t> owner;
  for (std::size_t node = 0; node < plan_.nodes.size(); ++node) {
    std::set<Ipv4> own;
    for (const PortAddress& port : plan_.nodes[node].ports) own.insert(port.address);
    if (topology_->is_host(NodeId(node))) {
      EXPECT_EQ(own.size(), topology_->ports_per_host());
    }
    for (const Ipv4 address : own) EXPECT_TRUE(owner.emplace(address, node).second);
  }
}

// Every address lies in one of the plan's subnets, every subnet is there for some node, and hosts
// are in those that are said to hold them.
TEST_P(PlannedWiring, SubnetsHoldTheAddresses) {
  std::set<Prefix> used;
  std::set<Prefix> used_by_hosts;
  const auto holder = [&](Ipv4 address) {
    return std::ranges::find_if(plan_.subnets, [&](const Prefix& subnet) {
      return (address.value & mask(subnet.length)) == subnet.address.value;
    });
  };
  for (std::size_t node = 0; node < plan_.nodes.size(); ++node) {
    for (const PortAddress& port : plan_.nodes[node].ports) {
      const auto subnet = holder(port.address);
      ASSERT_NE(subnet, plan_.subnets.end()) << to_string(port);
      used.insert(*subnet);
      if (topology_->is_host(NodeId(node))) used_by_hosts.insert(*subnet);
    }
  }
  EXPECT_EQ(std::vector<Prefix>(used.begin(), used.end()), plan_.subnets);
  EXPECT_EQ(std::vector<Prefix>(used_by_hosts.begin(), used_by_hosts.end()), plan_.host_subnets);
}

TEST_P(PlannedWiring, PortAddressIsThePlans) {
  for (std::size_t node = 0; node < plan_.nodes.size(); ++node) {
    const auto& ports = plan_.nodes[node].ports;
    for (std::size_t port = 0; port < ports.size(); ++port) {
      const auto address = port_address(*topology_, {NodeId(node), Port(port)});
      ASSERT_TRUE(address);
      EXPECT_EQ(to_string(*address), to_string(ports[port]));
    }
    if (ports.empty()) {
      EXPECT_FALSE(port_address(*topology_, {NodeId(node), Port(0)}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Wirings, PlannedWiring,
                         ::testing::Values("bcube(3,2)", "bcube(2,3)", "bcube(4,2)", "bcube(2,1)",
                                           "fat-tree(2)", "fat-tree(4)", "fat-tree(6)",
                                           "single-switch(2)", "single-switch(9)"));

std::string routes_of(const NodeAddresses& node) {
  std::string text;
  for (const StaticRoute& route : node.routes) {
    text += to_string(route.to);
    if (route.gateway) text += " via " + to_string(*route.gateway);
    text += " port " + std::to_string(route.via.value) + "\n";
  }
  return text;
}

// Host 0,2 of BCube(3,2) is on 10.100.0 (level 0, switch 0) and 10.101.2 (level 1, switch 2).
TEST(AddressPlan, OfABCubeHostByHand) {
  const auto cube = make_topology("bcube(3,2)");
  const NodeAddresses host = plan_addresses(*cube).nodes[2];
  ASSERT_EQ(host.ports.size(), 2u);
  EXPECT_EQ(to_string(host.ports[0]), "10.100.0.3/24");
  EXPECT_EQ(to_string(host.ports[1]), "10.101.2.1/24");
  EXPECT_EQ(routes_of(host),
            "10.100.1.0/24 via 10.101.2.2 port 1\n"
            "10.100.2.0/24 via 10.101.2.3 port 1\n"
            "10.101.0.0/24 via 10.100.0.1 port 0\n"
            "10.101.1.0/24 via 10.100.0.2 port 0\n");
}

// Fat-Tree paper, section 3.2 and Figure 3: edge 10.pod.edge.1, aggregation 10.pod.(p/2 + a).1,
// core 10.p.j.i, hosts from .2 on.
TEST(AddressPlan, OfAFatTreeByHand) {
  const auto tree = make_topology("fat-tree(4)");
  const AddressPlan plan = plan_addresses(*tree);
  const NodeAddresses& host = plan.nodes[2 * 4 + 1 * 2 + 1];
  EXPECT_EQ(to_string(host.ports[0]), "10.2.1.3/32");
  EXPECT_EQ(routes_of(host), "0.0.0.0/0 via 10.2.1.1 port 0\n");

  const NodeAddresses& edge = plan.nodes[16 + 2 * 2 + 1];
  ASSERT_EQ(edge.ports.size(), 4u);
  for (const PortAddress& port : edge.ports) EXPECT_EQ(to_string(port), "10.2.1.1/32");
  const std::string routes = routes_of(edge);
  EXPECT_EQ(edge.routes.size(), 16u);
  EXPECT_THAT(routes, HasSubstr("10.2.1.3/32 port 1\n")) << "attached: no gateway";
  EXPECT_THAT(routes, HasSubstr("10.2.0.2/32 via 10.2.3.1 port 3\n")) << "(0 + 1) mod 2";
  EXPECT_THAT(routes, HasSubstr("10.0.0.3/32 via 10.2.2.1 port 2\n")) << "(1 + 1) mod 2";

  const NodeAddresses& core = plan.nodes[16 + 16 + 1];
  EXPECT_EQ(to_string(core.ports[0]), "10.4.1.2/32");
  EXPECT_THAT(routes_of(core), HasSubstr("10.3.1.2/32 via 10.3.2.1 port 3\n"));
}

TEST(AddressPlan, RefusesWhatDoesNotFitTheScheme) {
  EXPECT_NO_THROW((void)plan_addresses(*make_topology("single-switch(250)")));
  for (const char* name : {"single-switch(251)", "bcube(17,3)", "bcube(2,10)", "fat-tree(100)"}) {
    const auto topology = make_topology(name);
    EXPECT_THROW((void)plan_addresses(*topology), InputError) << name;
    EXPECT_EQ(port_address(*topology, {NodeId(0), Port(0)}), std::nullopt) << name;
  }
}

TEST(AddressPlan, SaysThatOtherWiringsCanOnlyBeSimulated) {
  for (const char* name : {"fat-tree(4,nics=2)", "fat-tree(4,ecmp)", "leaf-spine(2,2,2)",
                           "rail-only(4,2)", "rail-optimised(2,2,2,2)", "torus(3,3)"}) {
    const auto topology = make_topology(name);
    EXPECT_EQ(port_address(*topology, {NodeId(0), Port(0)}), std::nullopt) << name;
    try {
      (void)plan_addresses(*topology);
      ADD_FAILURE() << name << " has an address plan";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("it can only be simulated"));
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }
}

// 256 switches per level and 98 pods still fit.
TEST(AddressPlan, CoversTheWholeRange) {
  const auto cube = make_topology("bcube(2,9)");
  EXPECT_EQ(to_string(*port_address(*cube, {NodeId(511), Port(8)})), "10.108.255.2/24");
  const auto tree = make_topology("fat-tree(98)");
  const NodeId last_core = tree->switch_node(tree->switches() - 1);
  EXPECT_EQ(to_string(*port_address(*tree, {last_core, Port(0)})), "10.98.49.49/32");
}

TEST(Address, Prints) {
  EXPECT_EQ(to_string(ipv4(10, 0, 255, 1)), "10.0.255.1");
  EXPECT_EQ(to_string(Prefix{ipv4(10, 100, 3, 0), 24}), "10.100.3.0/24");
}

}  // namespace
}  // namespace gradwire::topologies
