#include "testbed/link_state.h"

#include <array>
#include <cerrno>
#include <new>
#include <string_view>

#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/qdisc/tbf.h>
#include <netlink/route/tc.h>
#include <netlink/socket.h>
#include <sys/socket.h>

#include "core/error.h"
#include "testbed/netlink_listing.h"
#include "testbed/netlink_message.h"

namespace gradwire::testbed {
namespace {

/// Rate of the token bucket at an interface's root, in bytes per second; 0 when there is none.
std::uint64_t rate_at(nl_cache* queues, int interface) {
  rtnl_qdisc* const root = rtnl_qdisc_get_by_parent(queues, interface, TC_H_ROOT);
  if (root == nullptr) return 0;
  const char* const kind = rtnl_tc_get_kind(TC_CAST(root));
  const bool is_bucket = kind != nullptr && std::string_view(kind) == "tbf";
  const int rate = is_bucket ? rtnl_qdisc_tbf_get_rate(root) : 0;
  rtnl_qdisc_put(root);
  return static_cast<std::uint32_t>(rate);  // libnl gives 32 bits as an int
}

LinkState state_of(rtnl_link* link, nl_cache* queues) {
  LinkState state{.set_up = (rtnl_link_get_flags(link) & IFF_UP) != 0,
                  .has_carrier = rtnl_link_get_carrier(link) != 0,
                  .mtu = rtnl_link_get_mtu(link),
                  .bridge = rtnl_link_get_master(link),
                  .shaped_to = rate_at(queues, rtnl_link_get_ifindex(link))};
  static_cast<void>(rtnl_link_get_carrier_changes(link, &state.carrier_changes));
  return state;
}

}  // namespace

void LinkReader::Close::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

LinkReader::LinkReader() : socket_(nl_socket_alloc()) {
  if (!socket_) throw std::bad_alloc();
  connect_netlink(socket_.get(), NETLINK_ROUTE, "open a netlink socket");
}

std::vector<LinkState> LinkReader::read(std::span<const std::string> interfaces) {
  const Listing links = list_links(socket_.get());
  const Listing queues = list_queues(socket_.get());
  std::vector<LinkState> states;
  for (const std::string& interface : interfaces) {
    rtnl_link* const link = rtnl_link_get_by_name(links.get(), interface.c_str());
    states.push_back(link == nullptr ? LinkState{} : state_of(link, queues.get()));
    if (link != nullptr) rtnl_link_put(link);
  }
  return states;
}

FileDescriptor open_link_news() {
  constexpr int kKind = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK;
  FileDescriptor news(checked(::socket(AF_NETLINK, kKind, NETLINK_ROUTE), "open rtnetlink"));
  sockaddr_nl groups{};
  groups.nl_family = AF_NETLINK;
  groups.nl_groups = RTMGRP_LINK | RTMGRP_TC;
  checked(::bind(news.get(), reinterpret_cast<const sockaddr*>(&groups), sizeof groups),
          "watch links over rtnetlink");
  return news;
}

bool drain_link_news(int news) {
  std::array<char, 16 * 1024> message{};
  bool any = false;
  // Messages that were lost for want of room (ENOBUFS) are news, too.
  while (::recv(news, message.data(), message.size(), 0) > 0 || errno == ENOBUFS) any = true;
  return any;
}

}  // namespace gradwire::testbed
