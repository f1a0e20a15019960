#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "testbed/netlink.h"
#include "testbed/shape.h"
#include "testbed/tcp_counters.h"
#include "transport/execution/settings.h"

namespace gradwire::run {

/// Traffic of a wiring so far, as its hosts and shapers count it; or between two moments.
struct WiringTraffic {
  std::vector<testbed::LinkCounters> ports;  ///< rank * ports_per_host + port
  std::vector<testbed::TcpCounters> tcp;     ///< by rank, or empty where nobody asks
  std::uint64_t dropped = 0;                 ///< packets, by all shapers

  /// The sum with another part. A sum begins as an empty one, of no ports.
  WiringTraffic& operator+=(const WiringTraffic& more);
  /// Requires two readings of one wiring.
  friend WiringTraffic operator-(const WiringTraffic& later, const WiringTraffic& earlier);
};

/// Traffic that Plans put on a port.
struct PlannedTraffic {
  std::uint64_t sent_bytes = 0;      ///< payload alone
  std::uint64_t received_bytes = 0;  ///< payload alone
  std::uint64_t messages = 0;        ///< both ways
};

/// Difference that a port's counters may have from the payload that is planned.
struct ByteTolerance {
  double headers = 0;  ///< bytes that the counters hold beside each byte of payload
  double share = 0.03;
  double slack = 256 * 1024;  ///< handshakes, neighbour discovery
  /// More, at most, of a message in each direction: what a small one is sent in and acknowledged
  /// with, which is no share of its bytes.
  double message = 0;
  /// More, at most, of each byte of payload that goes the other way: what acknowledges it.
  double acknowledgements = 0;
};

/// `message` above for what a transport sends.
[[nodiscard]] double message_overhead(execution::TransportKind transport);

/// `acknowledgements` above over links whose packets have at most `mtu` bytes.
[[nodiscard]] double acknowledgement_share(std::size_t mtu, testbed::Framing framing);

/// Whether a port has carried what was planned.
[[nodiscard]] bool is_on_plan(const testbed::LinkCounters& carried, const PlannedTraffic& planned,
                              const ByteTolerance& tolerance);

/// Whether all ports have, of a wiring.
[[nodiscard]] bool is_on_plan(const WiringTraffic& carried, std::span<const PlannedTraffic> planned,
                              const ByteTolerance& tolerance);

}  // namespace gradwire::run
