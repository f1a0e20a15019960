#include "testbed/hosts/control_network.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <regex>
#include <string_view>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/to_number.h"

namespace gradwire::hosts {
namespace {

using topologies::Ipv4;
using topologies::Prefix;
using topologies::subnet_of;

constexpr unsigned kAddressLength = 32;
/// Most entries that inventory.schema.json allows.
constexpr std::size_t kMostEntries = 16;
/// Shortest prefix of a subnet that counts as one; hosts farther apart have none in common.
constexpr unsigned kShortest = 8;
constexpr unsigned kUsual = 24;
constexpr const char* kSayIt =
    "say over which network the hosts are reached: --control 192.168.7.0/24, --control eno1, or "
    "the column control_device";

std::optional<Ipv4> parse_address(const std::string& text) {
  in_addr address{};
  if (::inet_pton(AF_INET, text.c_str(), &address) != 1) return std::nullopt;
  return Ipv4{ntohl(address.s_addr)};
}

std::optional<Prefix> parse_subnet(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  const auto length = to_number<unsigned>(std::string_view(text).substr(slash + 1));
  if (!address || !length || *length == 0 || *length > kAddressLength) return std::nullopt;
  return subnet_of({*address, *length});
}

bool overlap(const Prefix& a, const Prefix& b) {
  const unsigned length = std::min(a.length, b.length);
  return subnet_of({a.address, length}) == subnet_of({b.address, length});
}

const Prefix* find_overlap(const Prefix& subnet, std::span<const Prefix> data) {
  const auto found = std::ranges::find_if(
      data, [&subnet](const Prefix& prefix) { return overlap(subnet, prefix); });
  return found == data.end() ? nullptr : &*found;
}

void refuse_data_addresses(std::span<const ListedHost> hosts, std::span<const Prefix> data) {
  for (const ListedHost& host : hosts) {
    const auto address = parse_address(host.address);
    if (!address) continue;
    if (const Prefix* const subnet = find_overlap({*address, kAddressLength}, data)) {
      throw InputError(host.address_place,
                       fmt::format("{} is to be reached at {}, which lies in {}, a subnet of the "
                                   "wiring: give its address in the control network",
                                   host.name, host.address, to_string(*subnet)));
    }
  }
}

void check_asked(const std::vector<std::string>& asked, std::span<const Prefix> data) {
  static const std::regex kInterface(kInterfacePattern);
  if (asked.size() > kMostEntries) {
    throw InputError(fmt::format("--control: at most {} interfaces or subnets", kMostEntries));
  }
  for (const std::string& one : asked) {
    const auto subnet = one.find('/') == std::string::npos ? std::nullopt : parse_subnet(one);
    if (!subnet && !std::regex_match(one, kInterface)) {
      throw InputError(fmt::format(
          "--control: expected a subnet such as 192.168.7.0/24 or an interface, found '{}'", one));
    }
    const Prefix* const inside = subnet ? find_overlap(*subnet, data) : nullptr;
    if (inside != nullptr) {
      throw InputError(fmt::format("--control: {} overlaps {}, a subnet of the wiring", one,
                                   to_string(*inside)));
    }
  }
}

/// The control devices of the hosts; empty unless every host has one.
std::vector<std::string> control_devices(std::span<const ListedHost> hosts) {
  std::vector<std::string> devices;
  for (const ListedHost& host : hosts) {
    if (!host.control_device) return {};
    if (std::ranges::find(devices, *host.control_device) == devices.end()) {
      devices.push_back(*host.control_device);
    }
  }
  if (devices.size() > kMostEntries) throw InputError(kSayIt);
  return devices;
}

/// The longest prefix that all addresses share; nothing when some are names.
std::optional<Prefix> subnet_of_all(std::span<const ListedHost> hosts) {
  std::optional<Prefix> all;
  for (const ListedHost& host : hosts) {
    const auto address = parse_address(host.address);
    constexpr Ipv4 kLoopback = topologies::ipv4(127, 0, 0, 0);
    if (!address || overlap({*address, kAddressLength}, {kLoopback, kShortest})) return {};
    if (!all) all = Prefix{*address, kAddressLength};
    const auto same = static_cast<unsigned>(std::countl_zero(all->address.value ^ address->value));
    all->length = std::min(all->length, same);
  }
  if (!all || all->length < kShortest) return {};
  return subnet_of({all->address, all->length});
}

/// The subnet of all hosts, at least as wide as a usual network unless that overlaps the wiring's
/// subnets, so that the machine that runs mpirun is in it, too.
std::optional<Prefix> subnet_with_controller(std::span<const ListedHost> hosts,
                                             std::span<const Prefix> data) {
  const auto all = subnet_of_all(hosts);
  if (!all) return {};
  for (const unsigned length : {std::min(all->length, kUsual), all->length}) {
    const Prefix subnet = subnet_of({all->address, length});
    if (find_overlap(subnet, data) == nullptr) return subnet;
  }
  return {};
}

}  // namespace

std::vector<std::string> control_network(std::span<const ListedHost> hosts,
                                         const std::vector<std::string>& asked,
                                         std::span<const Prefix> data) {
  refuse_data_addresses(hosts, data);
  if (!asked.empty()) {
    check_asked(asked, data);
    return asked;
  }
  if (const auto subnet = subnet_with_controller(hosts, data)) return {to_string(*subnet)};
  auto devices = control_devices(hosts);
  if (devices.empty()) throw InputError(hosts.front().address_place, kSayIt);
  return devices;
}

}  // namespace gradwire::hosts
