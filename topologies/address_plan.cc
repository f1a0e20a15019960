#include "topologies/address_plan.h"

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/single_switch.h"

namespace gradwire::topologies {
namespace {

constexpr std::size_t kFirstLevelOctet = 100;  // leaves 10.0 .. 10.99 to the pods of a Fat-Tree
constexpr std::size_t kMaxHostsOnSwitch = 250;
constexpr std::size_t kMaxSwitchesInLevel = 256;
constexpr std::size_t kMaxPods = 99;
constexpr unsigned kSubnetLength = 24;
constexpr unsigned kAddressLength = 32;

Ipv4 address_of(std::size_t b, std::size_t c, std::size_t d) {
  return ipv4(10, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c),
              static_cast<std::uint32_t>(d));
}

constexpr const char* kSimulatedOnly =
    "there is no address scheme for it, and it can only be simulated";

std::string misfit_of_bridges(const Topology& topology) {
  if (topology.ports_per_switch() > kMaxHostsOnSwitch) {
    return fmt::format("a switch has {} hosts, and its subnet room for {}",
                       topology.ports_per_switch(), kMaxHostsOnSwitch);
  }
  // With two ports per switch or more, 256 switches in a level leave k at 9 or less: levels end at
  // 10.108.
  const std::size_t in_level = topology.tiers().front().switches;
  if (in_level > kMaxSwitchesInLevel) {
    return fmt::format("a level has {} switches, and the scheme room for {}", in_level,
                       kMaxSwitchesInLevel);
  }
  return {};
}

PortAddress bridged_address(const Topology& topology, Attachment host_port) {
  const Attachment on_switch = topology.opposite(host_port);
  const std::size_t level = host_port.port.index();
  const std::size_t in_level = topology.switches() / topology.ports_per_host();
  const std::size_t number = (on_switch.node.index() - topology.hosts()) % in_level;
  return {address_of(kFirstLevelOctet + level, number, on_switch.port.index() + 1), kSubnetLength};
}

/// Section 3.2 of the Fat-Tree paper.
Ipv4 routed_address(const FatTree& tree, NodeId node) {
  if (tree.is_host(node)) {
    const FatTree::Seat seat = tree.seat(Rank(node.index()));
    return address_of(seat.pod, seat.edge, seat.position + 2);
  }
  const FatTree::Place place = tree.place(node);
  switch (place.layer) {
    case FatTree::Layer::edge:
      return address_of(place.group, place.index, 1);
    case FatTree::Layer::aggregation:
      return address_of(place.group, tree.p() / 2 + place.index, 1);
    case FatTree::Layer::core:
      return address_of(tree.p(), place.group + 1, place.index + 1);
  }
  throw InternalError("a Fat-Tree has three layers");
}

NodeAddresses bridged_host(const Topology& topology, NodeId host) {
  NodeAddresses node;
  for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
    node.ports.push_back(bridged_address(topology, {host, Port(port)}));
  }
  for (std::size_t number = 0; number < topology.switches(); ++number) {
    // Every host on the switch is reached over the same next host; the one on port 0 stands for
    // all.
    const Attachment member = topology.opposite({topology.switch_node(number), Port(0)});
    const Prefix subnet = subnet_of(bridged_address(topology, member));
    if (subnet == subnet_of(node.ports[member.port.index()])) continue;
    const Rank to(member.node.index());
    const Port via = topology.next_port(host, to, member.port);
    const NodeId bridge = topology.opposite({host, via}).node;
    const Attachment next =
        topology.opposite({bridge, topology.next_port(bridge, to, member.port)});
    node.routes.push_back({subnet, bridged_address(topology, next).address, via});
  }
  return node;
}

NodeAddresses routed_host(const FatTree& tree, NodeId host) {
  const Prefix everything{};
  const NodeId edge = tree.opposite({host, Port(0)}).node;
  return {.ports = {{routed_address(tree, host), kAddressLength}},
          .routes = {{everything, routed_address(tree, edge), Port(0)}}};
}

NodeAddresses router(const FatTree& tree, NodeId node) {
  NodeAddresses router;
  router.ports.assign(tree.p(), {routed_address(tree, node), kAddressLength});
  router.routes.reserve(tree.hosts());
  for (std::size_t number = 0; number < tree.hosts(); ++number) {
    const NodeId host(number);
    const Port via = tree.next_port(node, Rank(number), Port(0));
    const NodeId next = tree.opposite({node, via}).node;
    StaticRoute route{{routed_address(tree, host), kAddressLength}, std::nullopt, via};
    if (next != host) route.gateway = routed_address(tree, next);
    router.routes.push_back(route);
  }
  return router;
}

}  // namespace

std::string why_no_addresses(const Topology& topology) {
  if (dynamic_cast<const BCube*>(&topology) || dynamic_cast<const SingleSwitch*>(&topology)) {
    return misfit_of_bridges(topology);
  }
  const auto* const tree = dynamic_cast<const FatTree*>(&topology);
  if (tree == nullptr || !tree->is_plain()) return kSimulatedOnly;
  if (tree->p() > kMaxPods) {
    return fmt::format("there are {} pods, and the scheme has room for {}", tree->p(), kMaxPods);
  }
  return {};
}

Prefix subnet_of(const PortAddress& address) {
  const std::uint32_t mask = ~std::uint32_t{0} << (kAddressLength - address.prefix_length);
  return {{address.address.value & mask}, address.prefix_length};
}

std::string to_string(Ipv4 address) {
  const std::uint32_t value = address.value;
  return fmt::format("{}.{}.{}.{}", value >> 24, (value >> 16) & 0xff, (value >> 8) & 0xff,
                     value & 0xff);
}

std::string to_string(const Prefix& prefix) {
  return fmt::format("{}/{}", to_string(prefix.address), prefix.length);
}

std::string to_string(const PortAddress& address) {
  return fmt::format("{}/{}", to_string(address.address), address.prefix_length);
}

std::optional<PortAddress> port_address(const Topology& topology, Attachment attachment) {
  if (!why_no_addresses(topology).empty()) return std::nullopt;
  if (const auto* const tree = dynamic_cast<const FatTree*>(&topology)) {
    return PortAddress{routed_address(*tree, attachment.node), kAddressLength};
  }
  if (!topology.is_host(attachment.node)) return std::nullopt;
  return bridged_address(topology, attachment);
}

AddressPlan plan_addresses(const Topology& topology) {
  if (const std::string why = why_no_addresses(topology); !why.empty()) {
    throw InputError(fmt::format("{} has no address plan: {}", topology.name(), why));
  }
  const auto* const tree = dynamic_cast<const FatTree*>(&topology);
  AddressPlan plan;
  plan.nodes.reserve(topology.hosts() + topology.switches());
  for (std::size_t number = 0; number < topology.hosts(); ++number) {
    const NodeId host(number);
    plan.nodes.push_back(tree ? routed_host(*tree, host) : bridged_host(topology, host));
  }
  for (std::size_t number = 0; number < topology.switches(); ++number) {
    plan.nodes.push_back(tree ? router(*tree, topology.switch_node(number)) : NodeAddresses{});
  }
  return plan;
}

}  // namespace gradwire::topologies
