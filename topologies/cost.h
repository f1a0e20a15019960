#pragma once

#include <cstddef>

#include "topologies/topology.h"

/// The parts that have to be bought for a wiring, and their price.
namespace gradwire::topologies {

/// The parts list of a wiring. For N hosts BCube(n,k) has kN/n switches, kN switch ports, kN NICs,
/// kN cables; Fat-Tree(p) has 5N/p, 5N, N, 3N. At equal N and port count that is k/5 of the
/// switches (BML, section 3.1), but with k = 4 more cables.
struct Cost {
  std::size_t switches = 0;
  std::size_t switch_ports = 0;  ///< switch ports with a cable
  std::size_t nics = 0;          ///< host ports with a cable
  std::size_t cables = 0;

  friend constexpr auto operator<=>(const Cost&, const Cost&) = default;
};

/// The parts of a wiring, counted from its graph and not by a formula.
[[nodiscard]] Cost cost_of(const Topology& topology);

/// The price of each kind of part, in any one currency. A cable's price does not depend on its
/// speed.
struct Prices {
  double per_switch = 0;
  double per_switch_port = 0;
  double per_nic = 0;  ///< price of a host port
  double per_cable = 0;
};

/// The price of these parts together.
[[nodiscard]] double price_of(const Cost& cost, const Prices& prices);

}  // namespace gradwire::topologies
