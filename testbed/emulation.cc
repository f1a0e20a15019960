#include "testbed/emulation.h"

#include <utility>

#include <fmt/core.h>

#include "testbed/sysctl.h"

namespace gradwire::testbed {
namespace {

using topologies::Attachment;
using topologies::SwitchKind;

/// Settings of a namespace, made before its interfaces exist so that they inherit them.
void configure_namespace() {
  try_network_setting("ipv6/conf/all/disable_ipv6", "1");  // no neighbour chatter between steps
  try_network_setting("ipv6/conf/default/disable_ipv6", "1");
  set_network_setting("ipv4/ip_forward", "1");
  for (const char* scope : {"all", "default"}) {
    const std::string prefix = fmt::format("ipv4/conf/{}/", scope);
    set_network_setting(prefix + "rp_filter", "0");   // answers may come by another port
    set_network_setting(prefix + "arp_ignore", "1");  // a port answers for its own address only
    set_network_setting(prefix + "arp_announce", "2");
    set_network_setting(prefix + "send_redirects", "0");
  }
  // The default on some machines paces by its own estimate of the rate; loss-based control fills
  // the shaper's queue, which is what a lossless fabric looks like.
  if (!try_network_setting("ipv4/tcp_congestion_control", "cubic")) {
    try_network_setting("ipv4/tcp_congestion_control", "reno");
  }
  try_network_setting("ipv4/tcp_slow_start_after_idle", "0");
  try_network_setting("ipv4/tcp_no_metrics_save", "1");
  // Windows that fill a link but not the machine's memory.
  try_network_setting("ipv4/tcp_rmem", "4096 524288 524288");
  try_network_setting("ipv4/tcp_wmem", "4096 262144 524288");
}

}  // namespace

Emulation::Node Emulation::make_node() {
  NetNamespace space = NetNamespace::create();
  const InNamespace inside(space.fd());
  configure_namespace();
  Node node{.space = std::move(space), .netlink = Netlink()};
  node.netlink.set_up("lo", true);
  return node;
}

Emulation::Emulation(const topologies::Topology& topology, const topologies::AddressPlan& addresses,
                     const LinkShape& shape)
    : topology_(topology), shape_(shape) {
  const bool routers = topology.switch_kind() == SwitchKind::router;
  const std::size_t spaces = topology.hosts() + (routers ? topology.switches() : 1);
  nodes_.reserve(spaces);
  for (std::size_t i = 0; i < spaces; ++i) nodes_.push_back(make_node());
  if (!routers) {
    for (std::size_t i = 0; i < topology.switches(); ++i) {
      nodes_.back().netlink.create_bridge(fmt::format("s{}", i), shape.mtu);
    }
  }
  make_cables();
  const std::size_t addressed = topology.hosts() + (routers ? topology.switches() : 0);
  for (std::size_t i = 0; i < addressed; ++i) configure(NodeId(i), addresses.nodes[i]);
}

std::string Emulation::interface_of(Port port) {
  return fmt::format("p{}", port.index());
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

void Emulation::make_cables() {
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
        netlink.attach_to_bridge(interface,
                                 fmt::format("s{}", attachment.node.index() - topology_.hosts()));
      }
      if (shape_.rate.is_limited()) netlink.shape(interface, shape_);
      netlink.set_up(interface, true);
    }
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

std::vector<LinkCounters> Emulation::counters(Rank rank) {
  std::vector<LinkCounters> counters;
  for (std::size_t port = 0; port < topology_.ports_per_host(); ++port) {
    counters.push_back(nodes_[rank.index()].netlink.counters(interface_of(Port(port))));
  }
  return counters;
}

std::uint64_t Emulation::dropped_packets() {
  std::uint64_t dropped = 0;
  for (const topologies::Link& link : topology_.links()) {
    for (const Attachment& attachment : {link.a, link.b}) {
      dropped += nodes_[place_of(attachment.node)].netlink.shaper_drops(interface_at(attachment));
    }
  }
  return dropped;
}

void Emulation::set_link(Rank rank, Port port, bool up) {
  nodes_[rank.index()].netlink.set_up(interface_of(port), up);
}

}  // namespace gradwire::testbed
