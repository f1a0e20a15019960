#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/id.h"
#include "testbed/netlink.h"

namespace gradwire::emulate {

/// Traffic of a port, and the packets lost at the ends of its cable.
struct PortTraffic {
  Rank host;
  Port port;
  std::string address;
  testbed::LinkCounters carried;
  std::uint64_t dropped = 0;
};

/// A table with a row for each port.
[[nodiscard]] std::string format_counters(std::span<const PortTraffic> ports);

}  // namespace gradwire::emulate
