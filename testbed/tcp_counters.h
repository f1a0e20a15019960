#pragma once

#include <cstdint>
#include <istream>

namespace gradwire::testbed {

/// Counters of TCP in one network namespace so far, named as in the kernel. 0 where the kernel does
/// not count.
struct TcpCounters {
  std::int64_t retransmitted = 0;  ///< RetransSegs: segments sent again, for whatever reason
  std::int64_t probes = 0;         ///< TCPLossProbes: an acknowledgement was a little late
  std::int64_t fast = 0;           ///< TCPFastRetrans: segments overtaken by later ones
  std::int64_t duplicates = 0;     ///< TCPDSACKRecvSegs: segments that came twice (RFC 2883)

  TcpCounters& operator+=(const TcpCounters& more);
  TcpCounters& operator-=(const TcpCounters& earlier);

  /// Number of segments lost between two moments, on their difference (operator-=): segments that
  /// were sent again and may have been lost, or were sent again after a timeout, whether or not
  /// they were lost. Those that were sent again fast, because others overtook them, or as probes
  /// are left out as far as their receiver says that they came twice; it says so up to a round trip
  /// later. The kernel counts probes of new data, too: as many segments that a timeout sent again
  /// can be missed. Where it counts no duplicates by segments, nothing is left out.
  [[nodiscard]] std::int64_t lost() const;
};

/// Parses /proc/net/snmp and /proc/net/netstat, which have lines of names, each followed by a line
/// of values.
[[nodiscard]] TcpCounters parse_tcp_counters(std::istream& snmp, std::istream& netstat);

/// Reads the counters of the calling thread's network namespace.
[[nodiscard]] TcpCounters read_tcp_counters();

}  // namespace gradwire::testbed
