#pragma once

#include <cstdint>
#include <istream>

namespace gradwire::testbed {

/// What TCP of one network namespace has counted so far, in the kernel's names. 0 where the kernel
/// does not count it.
struct TcpCounters {
  std::int64_t retransmitted = 0;  ///< RetransSegs: segments, for whatever reason
  std::int64_t probes = 0;         ///< TCPLossProbes: an acknowledgement was a little late
  std::int64_t fast = 0;           ///< TCPFastRetrans: later packets had arrived before them
  std::int64_t duplicates = 0;     ///< TCPDSACKRecv: the receiver had the packet already (RFC 2883)

  /// Segments that were sent again and may have been lost, or were waited for: all but probes and
  /// those that packets merely overtook. The latter are of `fast`, their receiver says that it has
  /// had them before, and nobody waits for them. As a probe may be a duplicate, too, duplicates
  /// count as far as there are more of them than probes; after a timeout all count.
  [[nodiscard]] std::int64_t lost() const;
};

/// From /proc/net/snmp and /proc/net/netstat, which have lines of names, each followed by a line of
/// values.
[[nodiscard]] TcpCounters parse_tcp_counters(std::istream& snmp, std::istream& netstat);

/// Of the calling thread's network namespace.
[[nodiscard]] TcpCounters read_tcp_counters();

}  // namespace gradwire::testbed
