#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "topologies/topology.h"

/// Check that the cables of hosts are where the wiring has them, and carry frames of its MTU. It
/// judges by which ports hear each other over switches that are bridges. Pure: neighbours.h
/// listens. For real hosts, ansible/roles/verify/files/wiring.py judges by the same rule.
namespace gradwire::testbed {

/// Record that one port of a host heard another.
struct Hearing {
  topologies::Attachment by;  ///< the port that heard
  topologies::Attachment of;  ///< the port that was heard
  bool full = false;          ///< whether it also heard a frame as long as the MTU
  friend bool operator==(const Hearing&, const Hearing&) = default;
};

/// Finds the ports of hosts that are not on the switch where the wiring has them, a sentence each:
///
///     rank 0, port 1 is on level 1 switch 2 instead of level 1 switch 0
///
/// Ports that hear each other are on one switch: the one that most of them belong to. Where as many
/// belong to another, the sentence also says which ports may be the wrong ones instead. A port that
/// heard nobody and that nobody heard gets no sentence. Requires switches that are bridges.
[[nodiscard]] std::vector<std::string> misplaced_ports(const topologies::Topology& topology,
                                                       std::span<const Hearing> heard);

/// Finds the ports that pass only frames shorter than the MTU, a sentence each, by switch:
///
///     rank 2, port 0 passes no frame of MTU 9000, only short ones
///
/// Looks at the pairs of calibration_flows(), which are expected to send both kinds: where a pair
/// heard only a short one, either port may be to blame, and the port in the most such pairs is
/// named, or several that are in equally many. Requires switches that are bridges.
[[nodiscard]] std::vector<std::string> small_ports(const topologies::Topology& topology,
                                                   std::span<const Hearing> heard, std::size_t mtu);

}  // namespace gradwire::testbed
