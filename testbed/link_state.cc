#include "testbed/link_state.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::testbed {

bool is_link_up(const std::string& interface) {
  const FileDescriptor any(
      checked(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket(AF_INET, SOCK_DGRAM)"));
  ifreq request{};
  if (interface.size() >= sizeof request.ifr_name) return false;
  std::memcpy(request.ifr_name, interface.data(), interface.size());
  if (::ioctl(any.get(), SIOCGIFFLAGS, &request) != 0) {
    if (errno == ENODEV) return false;
    throw SystemError("ask for the state of " + interface, errno);
  }
  constexpr int kCarries = IFF_UP | IFF_RUNNING;
  return (request.ifr_flags & kCarries) == kCarries;
}

FileDescriptor open_link_news() {
  constexpr int kKind = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK;
  FileDescriptor news(checked(::socket(AF_NETLINK, kKind, NETLINK_ROUTE), "open rtnetlink"));
  sockaddr_nl links{};
  links.nl_family = AF_NETLINK;
  links.nl_groups = RTMGRP_LINK;
  checked(::bind(news.get(), reinterpret_cast<const sockaddr*>(&links), sizeof links),
          "watch links over rtnetlink");
  return news;
}

void drain_link_news(int news) {
  std::array<char, 16 * 1024> message{};
  // Messages that were lost for want of room (ENOBUFS) are news, too.
  while (::recv(news, message.data(), message.size(), 0) > 0 || errno == ENOBUFS) {
  }
}

}  // namespace gradwire::testbed
