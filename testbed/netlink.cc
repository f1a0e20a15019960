#include "testbed/netlink.h"

#include <array>
#include <utility>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/socket.h>

#include "testbed/netlink_message.h"

namespace gradwire::testbed {
namespace {

using topologies::Ipv4;

constexpr int kCreate = NLM_F_CREATE | NLM_F_EXCL;

ifinfomsg link_header(int index, unsigned flags, unsigned change) {
  ifinfomsg header{};
  header.ifi_family = AF_UNSPEC;
  header.ifi_index = index;
  header.ifi_flags = flags;
  header.ifi_change = change;
  return header;
}

std::uint32_t network_order(Ipv4 address) {
  return htonl(address.value);
}

/// The members of LinkCounters.
constexpr std::array kLinkCounters{&LinkCounters::sent_bytes, &LinkCounters::received_bytes,
                                   &LinkCounters::sent_packets, &LinkCounters::received_packets,
                                   &LinkCounters::dropped};

}  // namespace

void Netlink::Close::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

Netlink::Netlink() : socket_(nl_socket_alloc()) {
  if (!socket_) throw std::bad_alloc();
  connect_netlink(socket_.get(), NETLINK_ROUTE, "open a netlink socket");
}

int Netlink::index_of(const std::string& interface) {
  rtnl_link* link = nullptr;
  checked_nl(rtnl_link_get_kernel(socket_.get(), 0, interface.c_str(), &link),
             "find interface " + interface);
  const int index = rtnl_link_get_ifindex(link);
  rtnl_link_put(link);
  return index;
}

void Netlink::create_veth(const VethEnd& a, const VethEnd& b, std::size_t mtu) {
  NetlinkMessage message(RTM_NEWLINK, kCreate);
  const auto size = static_cast<std::uint32_t>(mtu);
  const auto describe = [&](const VethEnd& end) {
    message.put_text(IFLA_IFNAME, end.name);
    message.put(IFLA_MTU, size);
    message.put(IFLA_NET_NS_FD, static_cast<std::uint32_t>(end.namespace_fd));
  };
  message.header(link_header(0, 0, 0));
  describe(a);
  message.nest(IFLA_LINKINFO, [&] {
    message.put_text(IFLA_INFO_KIND, "veth");
    message.nest(IFLA_INFO_DATA, [&] {
      message.nest(VETH_INFO_PEER, [&] {
        message.header(link_header(0, 0, 0));
        describe(b);
      });
    });
  });
  message.send(socket_.get(), fmt::format("create cable {} - {}", a.name, b.name));
}

void Netlink::create_bridge(const std::string& name, std::size_t mtu) {
  NetlinkMessage message(RTM_NEWLINK, kCreate);
  message.header(link_header(0, IFF_UP, IFF_UP));
  message.put_text(IFLA_IFNAME, name);
  message.put(IFLA_MTU, static_cast<std::uint32_t>(mtu));
  message.nest(IFLA_LINKINFO, [&] {
    message.put_text(IFLA_INFO_KIND, "bridge");
    message.nest(IFLA_INFO_DATA, [&] {
      message.put(IFLA_BR_STP_STATE, std::uint32_t{0});
      message.put(IFLA_BR_MCAST_SNOOPING, std::uint8_t{0});
    });
  });
  message.send(socket_.get(), "create bridge " + name);
}

void Netlink::attach_to_bridge(const std::string& interface, const std::string& bridge) {
  NetlinkMessage message(RTM_NEWLINK, 0);
  message.header(link_header(index_of(interface), 0, 0));
  message.put(IFLA_MASTER, static_cast<std::uint32_t>(index_of(bridge)));
  message.send(socket_.get(), fmt::format("attach {} to bridge {}", interface, bridge));
}

void Netlink::set_up(const std::string& interface, bool up) {
  NetlinkMessage message(RTM_NEWLINK, 0);
  message.header(link_header(index_of(interface), up ? IFF_UP : 0, IFF_UP));
  message.send(socket_.get(), fmt::format("set {} {}", interface, up ? "up" : "down"));
}

void Netlink::add_address(const std::string& interface, const topologies::PortAddress& address) {
  NetlinkMessage message(RTM_NEWADDR, kCreate);
  ifaddrmsg header{};
  header.ifa_family = AF_INET;
  header.ifa_prefixlen = static_cast<std::uint8_t>(address.prefix_length);
  header.ifa_scope = RT_SCOPE_UNIVERSE;
  header.ifa_index = static_cast<unsigned>(index_of(interface));
  message.header(header);
  message.put(IFA_LOCAL, network_order(address.address));
  message.put(IFA_ADDRESS, network_order(address.address));
  message.send(socket_.get(),
               fmt::format("add address {} to {}", to_string(address.address), interface));
}

void Netlink::add_route(const topologies::Prefix& to, std::optional<Ipv4> gateway,
                        const std::string& interface) {
  NetlinkMessage message(RTM_NEWROUTE, kCreate);
  rtmsg header{};
  header.rtm_family = AF_INET;
  header.rtm_dst_len = static_cast<std::uint8_t>(to.length);
  header.rtm_table = RT_TABLE_MAIN;
  header.rtm_protocol = RTPROT_STATIC;
  header.rtm_type = RTN_UNICAST;
  header.rtm_scope = gateway ? RT_SCOPE_UNIVERSE : RT_SCOPE_LINK;
  header.rtm_flags = gateway ? unsigned{RTNH_F_ONLINK} : 0;
  message.header(header);
  if (to.length > 0) message.put(RTA_DST, network_order(to.address));
  if (gateway) message.put(RTA_GATEWAY, network_order(*gateway));
  message.put(RTA_OIF, static_cast<std::uint32_t>(index_of(interface)));
  message.send(socket_.get(), fmt::format("add route to {} by {}", to_string(to), interface));
}

LinkCounters Netlink::counters(const std::string& interface) {
  rtnl_link* link = nullptr;
  checked_nl(rtnl_link_get_kernel(socket_.get(), 0, interface.c_str(), &link),
             "read the counters of " + interface);
  const LinkCounters counters{.sent_bytes = rtnl_link_get_stat(link, RTNL_LINK_TX_BYTES),
                              .received_bytes = rtnl_link_get_stat(link, RTNL_LINK_RX_BYTES),
                              .sent_packets = rtnl_link_get_stat(link, RTNL_LINK_TX_PACKETS),
                              .received_packets = rtnl_link_get_stat(link, RTNL_LINK_RX_PACKETS),
                              .dropped = rtnl_link_get_stat(link, RTNL_LINK_TX_DROPPED) +
                                         rtnl_link_get_stat(link, RTNL_LINK_RX_DROPPED)};
  rtnl_link_put(link);
  return counters;
}

LinkCounters& LinkCounters::operator+=(const LinkCounters& more) {
  for (const auto counter : kLinkCounters) this->*counter += more.*counter;
  return *this;
}

LinkCounters& LinkCounters::operator-=(const LinkCounters& earlier) {
  for (const auto counter : kLinkCounters) this->*counter -= earlier.*counter;
  return *this;
}

}  // namespace gradwire::testbed
