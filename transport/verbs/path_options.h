#pragma once

#include <cstdint>

namespace gradwire::transport::verbs {

/// Options of a reliable connection. The first three are the device's, as in ibv_modify_qp.
struct PathOptions {
  /// Exponent of the time after which an unacknowledged packet is sent again: 4.096 us *
  /// 2^ack_timeout, 1 to 31. It must cover the longest queue on the way: 14 is 67 ms, 20 is 4.3 s.
  std::uint8_t ack_timeout = 14;
  /// Number of times that a packet is sent again before the connection fails, 0 to 7. Soft-RoCE
  /// takes 7 as unlimited.
  std::uint8_t retry_count = 6;
  std::uint8_t traffic_class = 0;  ///< the IP header's: DSCP and ECN
};

}  // namespace gradwire::transport::verbs
