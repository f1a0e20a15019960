#include "library/surroundings.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include <arpa/inet.h>
#include <fmt/core.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>

#include "core/error.h"

namespace gradwire::library {
namespace {

std::string text_of(const sockaddr* address) {
  char text[INET_ADDRSTRLEN] = {};
  const auto* const internet = reinterpret_cast<const sockaddr_in*>(address);
  ::inet_ntop(AF_INET, &internet->sin_addr, text, sizeof text);
  return text;
}

/// The network interfaces of this host that have an IPv4 address, each once.
std::vector<transport::PortBinding> interfaces() {
  ifaddrs* found = nullptr;
  checked(::getifaddrs(&found), "getifaddrs");
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(found, &::freeifaddrs);
  std::vector<transport::PortBinding> interfaces;
  for (const ifaddrs* each = all.get(); each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
    interfaces.push_back({.device = each->ifa_name, .address = text_of(each->ifa_addr)});
  }
  return interfaces;
}

/// The interface that has the address; empty when none has it.
std::string device_of(const std::string& address) {
  const auto all = interfaces();
  const auto found = std::ranges::find(all, address, &transport::PortBinding::address);
  return found == all.end() ? "" : found->device;
}

/// The first address of an interface.
std::string address_of(const std::string& device) {
  const auto all = interfaces();
  const auto found = std::ranges::find(all, device, &transport::PortBinding::device);
  if (found != all.end()) return found->address;
  throw InputError(fmt::format(
      "ports (GRADWIRE_PORTS) names '{}', and no such interface of this host has an IPv4 address",
      device));
}

}  // namespace

transport::tcp::Listening store_of(const Settings& settings) {
  const addrinfo wanted{.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(settings.store_host.c_str(), nullptr, &wanted, &found);
  if (failed != 0) {
    throw InputError(fmt::format("the store's host '{}' has no IPv4 address: {}",
                                 settings.store_host, ::gai_strerror(failed)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  return {.address = text_of(all->ai_addr), .port = settings.store_port};
}

std::vector<transport::PortBinding> ports_of(const Settings& settings,
                                             const topologies::Topology& wiring,
                                             const std::string& own_address) {
  const std::size_t needed = wiring.ports_per_host();
  const std::size_t named = settings.devices.size();
  const bool rdma = execution::needs_rdma(settings.transport.kind);
  if (rdma && settings.rdma.empty()) {
    throw InputError(fmt::format("transport {} needs an RDMA device for each port: option rdma",
                                 execution::to_string(settings.transport.kind)));
  }
  if (named == 0 && needed == 1) {
    // On no device: what ranks of one host send each other goes through none but lo.
    const bool tcp = settings.transport.kind == execution::TransportKind::tcp;
    return {{.device = tcp ? "" : device_of(own_address), .address = own_address}};
  }
  if (named < needed) {
    throw InputError(fmt::format("a host of {} has {} ports, and ports (GRADWIRE_PORTS) names {}",
                                 wiring.name(), needed, named));
  }
  std::vector<transport::PortBinding> ports;
  for (std::size_t i = 0; i < needed; ++i) {
    ports.push_back({.device = settings.devices[i],
                     .address = settings.addresses.empty() ? address_of(settings.devices[i])
                                                           : settings.addresses[i],
                     .rdma = settings.rdma.empty() ? "" : settings.rdma[i]});
  }
  return ports;
}

transport::RunKey key_of(const std::string& secret) {
  const transport::Mac mac = transport::authenticate({}, secret);
  transport::RunKey key{};
  std::copy_n(mac.begin(), key.size(), key.begin());
  return key;
}

}  // namespace gradwire::library
