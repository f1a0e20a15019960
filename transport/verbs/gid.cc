#include "transport/verbs/gid.h"

#include <algorithm>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/core.h>

#include "core/error.h"
#include "core/name_table.h"

namespace gradwire::transport::verbs {
namespace {

/// Names of libibverbs' ibv_gid_type, which an entry holds as a number.
constexpr NameTable<std::uint32_t, 3> kTypes({
    {"InfiniBand", IBV_GID_TYPE_IB},
    {"RoCE v1", IBV_GID_TYPE_ROCE_V1},
    {"RoCE v2", IBV_GID_TYPE_ROCE_V2},
});

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
  const std::string_view type = kTypes.find_name(entry.gid_type).value_or("of unknown type");
  return fmt::format("port {} index {}: {}, {}, interface {}", entry.port_num, entry.gid_index,
                     to_string(entry.gid), type, entry.ndev_ifindex);
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
