#include "topologies/address_plan.h"

#include <set>

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::topologies {
namespace {

constexpr std::size_t kFirstLevelOctet = 100;  // leaves 10.0 .. 10.99 to the pods of a Fat-Tree
constexpr std::size_t kMaxHostsOnSwitch = 250;
constexpr std::size_t kMaxSwitchesInLevel = 256;
constexpr std::size_t kMaxPods = 99;
constexpr unsigned kSubnetLength = 24;
constexpr unsigned kPodLength = 16;
constexpr unsigned kAddressLength = 32;

Ipv4 address_of(std::size_t b, std::size_t c, std::size_t d) {
  return ipv4(10, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c),
              static_cast<std::uint32_t>(d));
}

constexpr const char* kSimulatedOnly =
    "there is no address scheme for it, and it can only be simulated";

std::string misfit_of_subnets(const Topology& topology) {
  if (topology.ports_per_switch() > kMaxHostsOnSwitch) {
    return fmt::format("a switch has {} hosts, but its subnet has room for only {}",
                       topology.ports_per_switch(), kMaxHostsOnSwitch);
  }
  // With two ports per switch or more, 256 switches in a level leave k at 9 or less: levels end at
  // 10.108.
  const std::size_t in_level = topology.tiers().front().switches;
  if (in_level > kMaxSwitchesInLevel) {
    return fmt::format("a level has {} switches, but the scheme has room for only {}", in_level,
                       kMaxSwitchesInLevel);
  }
  return {};
}

PortAddress bridged_address(const Topology& topology, Attachment host_port) {
  const Attachment on_switch = topology.opposite(host_port);
  const SwitchPlace place = topology.switch_place(on_switch.node);
  return {address_of(kFirstLevelOctet + place.tier, place.index, on_switch.port.index() + 1),
          kSubnetLength};
}

/// The number of pods, which every switch of a Fat-Tree has ports for.
std::size_t pods_of(const Topology& topology) {
  return topology.ports_per_switch();
}

/// The address of a host or router of a Fat-Tree (section 3.2 of the paper).
Ipv4 pod_address(const Topology& topology, NodeId node) {
  if (topology.is_host(node)) {
    const Attachment on_edge = topology.opposite({node, Port(0)});
    const SwitchPlace edge = topology.switch_place(on_edge.node);
    return address_of(edge.group, edge.index, on_edge.port.index() + 2);
  }
  const SwitchPlace place = topology.switch_place(node);
  switch (place.tier) {
    case 0:
      return address_of(place.group, place.index, 1);
    case 1:
      return address_of(place.group, pods_of(topology) / 2 + place.index, 1);
    case 2:
      return address_of(pods_of(topology), place.group + 1, place.index + 1);
    default:
      throw_bug("a Fat-Tree has three tiers of switches");
  }
}

/// The subnet of a pod's addresses; for number pods_of(), that of the core.
Prefix pod_subnet(std::size_t pod) {
  return {address_of(pod, 0, 0), kPodLength};
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

NodeAddresses pod_host(const Topology& topology, NodeId host) {
  const Prefix everything{};
  const NodeId edge = topology.opposite({host, Port(0)}).node;
  return {.ports = {{pod_address(topology, host), kAddressLength}},
          .routes = {{everything, pod_address(topology, edge), Port(0)}}};
}

NodeAddresses router(const Topology& topology, NodeId node) {
  NodeAddresses router;
  router.ports.assign(topology.ports_of(node), {pod_address(topology, node), kAddressLength});
  router.routes.reserve(topology.hosts());
  for (std::size_t number = 0; number < topology.hosts(); ++number) {
    const NodeId host(number);
    const Port via = topology.next_port(node, Rank(number), Port(0));
    const NodeId next = topology.opposite({node, via}).node;
    StaticRoute route{{pod_address(topology, host), kAddressLength}, std::nullopt, via};
    if (next != host) route.gateway = pod_address(topology, next);
    router.routes.push_back(route);
  }
  return router;
}

AddressPlan plan_subnets(const Topology& topology) {
  AddressPlan plan;
  std::set<Prefix> subnets;
  plan.nodes.reserve(topology.hosts() + topology.switches());
  for (std::size_t number = 0; number < topology.hosts(); ++number) {
    plan.nodes.push_back(bridged_host(topology, NodeId(number)));
    for (const PortAddress& port : plan.nodes.back().ports) subnets.insert(subnet_of(port));
  }
  plan.nodes.resize(topology.hosts() + topology.switches());
  plan.subnets.assign(subnets.begin(), subnets.end());
  plan.host_subnets = plan.subnets;
  return plan;
}

AddressPlan plan_pods(const Topology& topology) {
  AddressPlan plan;
  plan.nodes.reserve(topology.hosts() + topology.switches());
  for (std::size_t number = 0; number < topology.hosts(); ++number) {
    plan.nodes.push_back(pod_host(topology, NodeId(number)));
  }
  for (std::size_t number = 0; number < topology.switches(); ++number) {
    plan.nodes.push_back(router(topology, topology.switch_node(number)));
  }
  for (std::size_t pod = 0; pod < pods_of(topology); ++pod) {
    plan.host_subnets.push_back(pod_subnet(pod));
  }
  plan.subnets = plan.host_subnets;
  plan.subnets.push_back(pod_subnet(pods_of(topology)));
  return plan;
}

}  // namespace

std::string why_no_addresses(const Topology& topology) {
  switch (topology.addressing()) {
    case Addressing::none:
      return kSimulatedOnly;
    case Addressing::switch_subnets:
      return misfit_of_subnets(topology);
    case Addressing::pods:
      if (const std::size_t pods = pods_of(topology); pods > kMaxPods) {
        return fmt::format("there are {} pods, and the scheme has room for {}", pods, kMaxPods);
      }
      return {};
  }
  throw_bug("a scheme of addresses is one of Addressing");
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
  if (topology.addressing() == Addressing::pods) {
    return PortAddress{pod_address(topology, attachment.node), kAddressLength};
  }
  if (!topology.is_host(attachment.node)) return std::nullopt;
  return bridged_address(topology, attachment);
}

AddressPlan plan_addresses(const Topology& topology) {
  if (const std::string why = why_no_addresses(topology); !why.empty()) {
    throw InputError(fmt::format("{} has no address plan: {}", topology.name(), why));
  }
  return topology.addressing() == Addressing::pods ? plan_pods(topology) : plan_subnets(topology);
}

}  // namespace gradwire::topologies
