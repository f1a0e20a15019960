#include "transport/verbs/gid.h"

#include <algorithm>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::transport::verbs {
namespace {

const char* type_name(std::uint32_t type) {
  switch (type) {
    case IBV_GID_TYPE_IB:
      return "InfiniBand";
    case IBV_GID_TYPE_ROCE_V1:
      return "RoCE v1";
    case IBV_GID_TYPE_ROCE_V2:
      return "RoCE v2";
    default:
      return "of unknown type";
  }
}

bool equal(const ibv_gid& a, const ibv_gid& b) {
  return std::memcmp(a.raw, b.raw, sizeof a.raw) == 0;
}

}  // namespace

ibv_gid mapped_gid(const std::string& address) {
  ibv_gid gid{};
  gid.raw[10] = gid.raw[11] = 0xff;
  if (::inet_pton(AF_INET, address.c_str(), &gid.raw[12]) != 1) {
    throw InputError(fmt::format("'{}' is not an IPv4 address", address));
  }
  return gid;
}

std::string to_string(const ibv_gid& gid) {
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET6, gid.raw, text, sizeof text);
  return text;
}

std::string to_string(const ibv_gid_entry& entry) {
  return fmt::format("port {} index {}: {}, {}, interface {}", entry.port_num, entry.gid_index,
                     to_string(entry.gid), type_name(entry.gid_type), entry.ndev_ifindex);
}

std::optional<ibv_gid_entry> find_gid(std::span<const ibv_gid_entry> table, const ibv_gid& address,
                                      std::uint32_t interface) {
  const auto found = std::ranges::find_if(table, [&](const ibv_gid_entry& entry) {
    return entry.gid_type == IBV_GID_TYPE_ROCE_V2 && equal(entry.gid, address) &&
           (entry.ndev_ifindex == 0 || entry.ndev_ifindex == interface);
  });
  if (found == table.end()) return std::nullopt;
  return *found;
}

}  // namespace gradwire::transport::verbs
