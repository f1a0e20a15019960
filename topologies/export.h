#pragma once

#include <string>

#include "topologies/topology.h"

/// A wiring in formats for other programs and for people who lay cables. Every function returns a
/// whole file that ends with a newline. Addresses come from address_plan.h; they are left out for a
/// wiring that does not fit that scheme.
namespace gradwire::topologies {

/// The wiring as JSON: {"wiring", "switch_kind", "cost", "hosts": [{"rank", "label", "ports"}],
/// "switches": [{"switch", "label", "tier", "ports"}], "links": [{"link", "a", "b"}]}; a link's end
/// is {"host", "port"} or {"switch", "port"}, switches counted from 0. A link whose speed is not 1
/// also has "speed".
[[nodiscard]] std::string export_json(const Topology& topology);

/// The wiring as a Graphviz graph for `dot`: hosts are boxes on the lowest line, switches ellipses,
/// one line per tier.
[[nodiscard]] std::string export_dot(const Topology& topology);

/// The list of cables as CSV (RFC 4180 quoting, lines end with \n), a header and one row per
/// cable: its number, the level or layer it climbs to ("direct" between two hosts), label and port
/// of both ends, and the address of the host's port. If cables differ in speed, a last column gives
/// it in multiples of the link rate.
[[nodiscard]] std::string export_cabling(const Topology& topology);

}  // namespace gradwire::topologies
