#pragma once

#include <cstddef>
#include <string>

namespace gradwire::testbed {

/// Has one processor receive everything that arrives at an interface of the namespace that the
/// calling thread is in; `turn` spreads interfaces over the processors. Without it the packets of a
/// shaped cable overtake each other, because its timer and its sender run on different processors,
/// and RoCE sends again whatever follows a gap. Must be called inside run_in_sandbox with
/// machine_root. Throws SystemError.
void keep_packet_order(const std::string& interface, std::size_t turn);

}  // namespace gradwire::testbed
