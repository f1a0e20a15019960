#pragma once

#include <string>

#include "topologies/topology.h"

/// A wiring as other programs and people with cables in their hands read it. Every function returns
/// a whole file that ends with a newline. Addresses are those of address_plan.h; they are left out
/// of a wiring that does not fit that scheme.
namespace gradwire::topologies {

/// {"wiring", "switch_kind", "cost", "hosts": [{"rank", "label", "ports"}], "switches": [{"switch",
/// "label", "tier", "ports"}], "links": [{"link", "a", "b"}]}; a link's end is {"host", "port"} or
/// {"switch", "port"}, switches counted from 0. A link whose speed is not 1 also has "speed".
[[nodiscard]] std::string export_json(const Topology& topology);

/// A Graphviz graph for `dot`: hosts are boxes on the lowest line, switches ellipses, one line per
/// tier.
[[nodiscard]] std::string export_dot(const Topology& topology);

/// CSV (RFC 4180 quoting, lines end with \n), a header and one row per cable: its number, the level
/// or layer it climbs to ("direct" between two hosts), label and port of both ends, and the address
/// of the host's port. Where cables differ in speed a last column says it, times the link rate.
[[nodiscard]] std::string export_cabling(const Topology& topology);

}  // namespace gradwire::topologies
