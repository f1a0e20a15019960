#include "testbed/emulation.h"

#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "testbed/packet_order.h"
#include "testbed/sysctl.h"
#include "testbed/tcp_settings.h"

namespace gradwire::testbed {
namespace {

using topologies::Attachment;
using topologies::SwitchKind;

/// Configures IPv6 without its chatter: off, or with link-local addresses that are valid at once.
/// These are an RDMA device's first address, and the only one over which UCX finds its peers.
void configure_ipv6(bool link_local) {
  for (const char* scope : {"all", "default"}) {
    const std::string prefix = fmt::format("ipv6/conf/{}/", scope);
    try_network_setting(prefix + "disable_ipv6", link_local ? "0" : "1");
    try_network_setting(prefix + "accept_dad", "0");
    try_network_setting(prefix + "accept_ra", "0");
    try_network_setting(prefix + "router_solicitations", "0");
  }
}

/// Configures a namespace, except for TCP, before its interfaces exist, so that they inherit the
/// settings.
void configure_namespace(bool link_local) {
  configure_ipv6(link_local);
  set_network_setting("ipv4/ip_forward", "1");
  for (const char* scope : {"all", "default"}) {
    const std::string prefix = fmt::format("ipv4/conf/{}/", scope);
    set_network_setting(prefix + "rp_filter", "0");   // answers may come by another port
    set_network_setting(prefix + "arp_ignore", "1");  // a port answers for its own address only
    set_network_setting(prefix + "arp_announce", "2");
    set_network_setting(prefix + "send_redirects", "0");
  }
  // Where the machine has firewalls of bridges, what a switch carries would go through their empty
  // tables.
  for (const char* tables : {"ip", "ip6", "arp"}) {
    try_network_setting(fmt::format("bridge/bridge-nf-call-{}tables", tables), "0");
  }
}

}  // namespace

Emulation::Node Emulation::make_node(bool link_local) const {
  NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  configure_namespace(link_local);
  configure_tcp(shortest_timeout(shape_.rate, topology_.hosts()));
  Node node{.space = std::move(space), .netlink = Netlink()};
  node.netlink.set_up("lo", true);
  return node;
}

Emulation::Emulation(const topologies::Topology& topology, const topologies::AddressPlan& addresses,
                     const LinkShape& shape, const std::function<void()>& between)
    : topology_(topology), shape_(shape) {
  const bool roce = shape.framing == Framing::roce;
  const bool routers = topology.switch_kind() == SwitchKind::router;
  const std::size_t spaces = topology.hosts() + (routers ? topology.switches() : 1);
  nodes_.reserve(spaces);
  for (std::size_t i = 0; i < spaces; ++i) {
    nodes_.push_back(make_node(roce && i < topology.hosts()));
    between();
  }
  if (!routers) make_bridges();
  make_cables(between);
  const std::size_t addressed = topology.hosts() + (routers ? topology.switches() : 0);
  for (std::size_t i = 0; i < addressed; ++i) {
    configure(NodeId(i), addresses.nodes[i]);
    between();
  }
  if (!roce) return;
  keep_in_order();
  make_rdma_devices();
}

void Emulation::make_bridges() {
  Node& node = nodes_.back();
  for (std::size_t i = 0; i < topology_.switches(); ++i) {
    node.netlink.create_bridge(bridge_of(topology_.switch_node(i)), shape_.mtu);
  }
  const InNamespace inside(node.space.fd());
  // Where nothing is shaped, nothing waits in a switch; and small queues are TCP's.
  if (shape_.rate.is_limited() && shape_.framing == Framing::tcp) forget_senders();
}

std::string Emulation::interface_of(Port port) {
  return fmt::format("p{}", port.index());
}

void Emulation::connect_management() {
  nodes_.push_back(make_node(false));
  Node& hub = nodes_.back();
  hub.netlink.create_bridge("hub", shape_.mtu);
  for (std::size_t i = 0; i < topology_.hosts(); ++i) {
    const std::string port = fmt::format("h{}", i);
    hub.netlink.create_veth({.namespace_fd = nodes_[i].space.fd(), .name = kManagementInterface},
                            {.namespace_fd = hub.space.fd(), .name = port}, shape_.mtu);
    hub.netlink.attach_to_bridge(port, "hub");
    hub.netlink.set_up(port, true);
    nodes_[i].netlink.set_up(kManagementInterface, true);
    nodes_[i].netlink.add_address(kManagementInterface, management_address(Rank(i)));
  }
}

topologies::PortAddress Emulation::management_address(Rank rank) {
  constexpr std::size_t kPerBlock = 250;
  return {.address = topologies::ipv4(10, 99, static_cast<std::uint32_t>(rank.index() / kPerBlock),
                                      static_cast<std::uint32_t>(rank.index() % kPerBlock + 1)),
          .prefix_length = 16};
}

bool Emulation::on_bridge(NodeId node) const {
  return !topology_.is_host(node) && topology_.switch_kind() == SwitchKind::bridge;
}

std::size_t Emulation::place_of(NodeId node) const {
  return on_bridge(node) ? topology_.hosts() : node.index();
}

std::string Emulation::interface_at(const Attachment& attachment) const {
  if (!on_bridge(attachment.node)) return interface_of(attachment.port);
  return fmt::format("c{}", topology_.link_at(attachment).index());
}

std::string Emulation::bridge_of(NodeId node) const {
  return fmt::format("s{}", node.index() - topology_.hosts());
}

void Emulation::make_cables(const std::function<void()>& between) {
  for (const topologies::Link& link : topology_.links()) {
    const auto end = [this](const Attachment& attachment) {
      return VethEnd{.namespace_fd = nodes_[place_of(attachment.node)].space.fd(),
                     .name = interface_at(attachment)};
    };
    nodes_.front().netlink.create_veth(end(link.a), end(link.b), shape_.mtu);
    for (const Attachment& attachment : {link.a, link.b}) {
      Netlink& netlink = nodes_[place_of(attachment.node)].netlink;
      const std::string interface = interface_at(attachment);
      if (on_bridge(attachment.node)) {
        netlink.attach_to_bridge(interface, bridge_of(attachment.node));
      }
      if (shape_.rate.is_limited()) shape(attachment);
      netlink.set_up(interface, true);
    }
    between();
  }
}

void Emulation::shape(const Attachment& attachment) {
  Netlink& netlink = nodes_[place_of(attachment.node)].netlink;
  netlink.shape(interface_at(attachment), shape_);
  if (shape_.framing == Framing::roce && topology_.is_host(attachment.node)) {
    netlink.schedule_queue_pairs(interface_at(attachment));
  }
}

std::vector<std::vector<Attachment>> Emulation::ends_by_place() const {
  std::vector<std::vector<Attachment>> ends(nodes_.size());
  for (const topologies::Link& link : topology_.links()) {
    for (const Attachment& attachment : {link.a, link.b}) {
      ends[place_of(attachment.node)].push_back(attachment);
    }
  }
  return ends;
}

void Emulation::keep_in_order() {
  const std::vector<std::vector<Attachment>> ends = ends_by_place();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::vector<std::string> interfaces;
    for (const Attachment& end : ends[i]) interfaces.push_back(interface_at(end));
    const InNamespace inside(nodes_[i].space.fd());
    keep_packets_in_order(interfaces);
  }
}

void Emulation::configure(NodeId node, const topologies::NodeAddresses& addresses) {
  Netlink& netlink = nodes_[node.index()].netlink;
  for (std::size_t port = 0; port < addresses.ports.size(); ++port) {
    netlink.add_address(interface_of(Port(port)), addresses.ports[port]);
  }
  for (const topologies::StaticRoute& route : addresses.routes) {
    netlink.add_route(route.to, route.gateway, interface_of(route.via));
  }
}

void Emulation::make_rdma_devices() {
  rdma_.reserve(topology_.hosts() * topology_.ports_per_host());
  for (std::size_t host = 0; host < topology_.hosts(); ++host) {
    const InNamespace inside(namespace_of(Rank(host)));
    for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
      rdma_.emplace_back(fmt::format("r{}p{}", host, port), interface_of(Port(port)));
    }
  }
}

const std::string& Emulation::rdma_device_of(Rank rank, Port port) const {
  ensure(!rdma_.empty(), "the shape of this emulation is framed as RoCE");
  return rdma_[rank.index() * topology_.ports_per_host() + port.index()].device();
}

std::vector<LinkCounters> Emulation::counters(Rank rank) {
  std::vector<LinkCounters> counters;
  for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
    counters.push_back(nodes_[rank.index()].netlink.counters(interface_of(Port(port))));
  }
  return counters;
}

std::vector<std::uint64_t> Emulation::dropped_at_ports(Rank rank) {
  std::vector<std::uint64_t> all;
  for (const LinkCounters& port : counters(rank)) {
    const Attachment end{.node = topology_.host(rank), .port = Port(all.size())};
    std::uint64_t dropped = port.dropped;
    for (const Attachment& attachment : {end, topology_.opposite(end)}) {
      dropped += nodes_[place_of(attachment.node)].netlink.shaper_drops(interface_at(attachment));
    }
    all.push_back(dropped);
  }
  return all;
}

std::uint64_t Emulation::dropped_packets() {
  std::uint64_t dropped = 0;
  for (Node& node : nodes_) dropped += node.netlink.shaper_drops();
  return dropped;
}

void Emulation::set_link(Rank rank, Port port, bool up) {
  nodes_[rank.index()].netlink.set_up(interface_of(port), up);
}

}  // namespace gradwire::testbed
