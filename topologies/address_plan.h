#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topologies/topology.h"

/// The address of every port, and the static routes of every host and router.
namespace gradwire::topologies {

/// An IPv4 address in host byte order.
struct Ipv4 {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Ipv4, Ipv4) = default;
};

/// The address "a.b.c.d".
[[nodiscard]] constexpr Ipv4 ipv4(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                  std::uint32_t d) {
  return {(a << 24) | (b << 16) | (c << 8) | d};
}
/// The address in dotted form: "10.100.0.1".
[[nodiscard]] std::string to_string(Ipv4 address);

/// A subnet, or a single address with length 32. Host bits are zero.
struct Prefix {
  Ipv4 address;
  unsigned length = 0;
  friend constexpr auto operator<=>(const Prefix&, const Prefix&) = default;
};
/// The subnet as text: "10.100.0.0/24".
[[nodiscard]] std::string to_string(const Prefix& prefix);

/// The address of a port, with the length of its subnet: 10.100.0.1/24.
struct PortAddress {
  Ipv4 address;
  unsigned prefix_length = 32;
};

/// The subnet that the address lies in.
[[nodiscard]] Prefix subnet_of(const PortAddress& address);

/// A route: packets for `to` leave by `via`. Without a gateway the destination is on the link
/// itself. A gateway is always the neighbour at the other end of `via`'s segment, whether or not a
/// subnet covers it (ip route's `onlink`).
struct StaticRoute {
  Prefix to;
  std::optional<Ipv4> gateway;
  Port via;
};

/// The addresses and routes of one host or router.
struct NodeAddresses {
  std::vector<PortAddress> ports;   ///< by port; a router may have one address on all its ports
  std::vector<StaticRoute> routes;  ///< routes beyond the subnets of its own ports
};

/// All addresses and routes of a wiring. Topology::addressing() says which of two schemes fits it.
///
/// BCube and single switch: 10.<100 + level>.<switch in level>.<port + 1>/24, one subnet per
/// switch; hosts carry routes to the other subnets, digit by digit, highest level first, so that
/// they relay for each other exactly as Topology::next_port says.
/// Fat-Tree: 10.<pod>.<switch>.<id>, as in the Fat-Tree paper; every link is point to point (/32),
/// routers hold one route per host (two-level: prefixes down, suffixes up).
struct AddressPlan {
  /// The addresses of each node by NodeId: hosts first. A bridge has neither ports nor routes here.
  std::vector<NodeAddresses> nodes;
  /// The subnets in which all addresses lie, ascending: one for each switch; of a Fat-Tree one /16
  /// for each pod and one for the core.
  std::vector<Prefix> subnets;
  /// The members of `subnets` that hold hosts.
  std::vector<Prefix> host_subnets;
};

/// The addresses and routes of a wiring. Throws InputError when it does not fit the scheme (more
/// than 250 hosts on a switch or 256 switches in one level of a BCube, more than 99 pods), and for
/// every other wiring, a Fat-Tree with planes or ECMP included: those can only be simulated.
[[nodiscard]] AddressPlan plan_addresses(const Topology& topology);

/// The reason why plan_addresses refuses the wiring; empty if it does not.
[[nodiscard]] std::string why_no_addresses(const Topology& topology);

/// The plan's address of one port of a host or router, without planning any route. Nothing for a
/// bridge, and for a wiring that does not fit the scheme.
[[nodiscard]] std::optional<PortAddress> port_address(const Topology& topology,
                                                      Attachment attachment);

/// The address with the length of its subnet: "10.100.0.1/24".
[[nodiscard]] std::string to_string(const PortAddress& address);

}  // namespace gradwire::topologies
