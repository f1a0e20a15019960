#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "topologies/topology.h"

/// Whether the cables of hosts are where a wiring has them, and carry frames of its MTU, from who
/// hears whom over switches that are bridges. Pure: neighbours.h listens. On real hosts,
/// ansible/roles/verify/files/wiring.py judges by the same rule.
namespace gradwire::testbed {

/// A port of a host heard another one.
struct Hearing {
  topologies::Attachment by;  ///< who heard
  topologies::Attachment of;  ///< whom
  bool full = false;          ///< also a frame as long as the MTU
  friend bool operator==(const Hearing&, const Hearing&) = default;
};

/// The ports of hosts that are not on the switch where the wiring has them, a sentence each:
///
///     rank 0, port 1 is on level 1 switch 2 instead of level 1 switch 0
///
/// Ports that hear each other are on one switch: the one that most of them belong to. Where as many
/// belong to another, the sentence also says which ports may be the wrong ones instead. Nothing is
/// said of a port that heard nobody and that nobody heard. Requires switches that are bridges.
[[nodiscard]] std::vector<std::string> misplaced_ports(const topologies::Topology& topology,
                                                       std::span<const Hearing> heard);

/// By switch, the ports that pass only frames shorter than the MTU, a sentence each:
///
///     rank 2, port 0 passes no frame of MTU 9000, only short ones
///
/// Looks at the pairs of calibration_flows(), which are expected to send both kinds: where a pair
/// heard only a short one, either port may be to blame, and the port in the most such pairs is
/// named; several are when none is in more. Requires switches that are bridges.
[[nodiscard]] std::vector<std::string> small_ports(const topologies::Topology& topology,
                                                   std::span<const Hearing> heard, std::size_t mtu);

}  // namespace gradwire::testbed
