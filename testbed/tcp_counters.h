#pragma once

#include <cstdint>
#include <istream>

namespace gradwire::testbed {

/// What TCP of one network namespace has counted so far, in the kernel's names. 0 where the kernel
/// does not count it.
struct TcpCounters {
  std::int64_t retransmitted = 0;  ///< RetransSegs: segments, for whatever reason
  std::int64_t probes = 0;         ///< TCPLossProbes: an acknowledgement was a little late
  std::int64_t fast = 0;           ///< TCPFastRetrans: segments that later ones had arrived before
  std::int64_t duplicates = 0;     ///< TCPDSACKRecvSegs: segments that came twice (RFC 2883)

  TcpCounters& operator+=(const TcpCounters& more);
  TcpCounters& operator-=(const TcpCounters& earlier);

  /// Of what was counted between two moments (operator-=): segments that were sent again and may have
  /// been lost, or were sent again after a timeout, whether or not they were. Those that were sent
  /// again fast, because others overtook them, or as probes are left out as far as their receiver
  /// says that they came twice; it says so up to a round trip later. The kernel counts probes of what
  /// is new, too: as many segments that a timeout sent again can be missed. Where it counts no
  /// duplicates by segments, nothing is left out.
  [[nodiscard]] std::int64_t lost() const;
};

/// From /proc/net/snmp and /proc/net/netstat, which have lines of names, each followed by a line of
/// values.
[[nodiscard]] TcpCounters parse_tcp_counters(std::istream& snmp, std::istream& netstat);

/// Of the calling thread's network namespace.
[[nodiscard]] TcpCounters read_tcp_counters();

}  // namespace gradwire::testbed
