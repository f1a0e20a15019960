#pragma once

#include <span>
#include <string>

namespace gradwire::testbed {

/// Makes the machine's first processor handle the packets that arrive at these interfaces of the
/// caller's network namespace, so that they keep their order. Otherwise the processor that sends
/// handles them; RoCE takes packets out of order for lost and sends them again, which cost 5 to 30
/// % on two processors.
///
/// Mounts a /sys that shows the namespace for a moment, so the caller needs a mount namespace of
/// its own. Throws SystemError.
void keep_packets_in_order(std::span<const std::string> interfaces);

}  // namespace gradwire::testbed
