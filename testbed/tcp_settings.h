#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "core/units.h"

/// How TCP behaves on emulated hosts, whatever the machine's settings are.
namespace gradwire::testbed {

/// What a TCP connection of an emulation buffers at its receiver.
inline constexpr std::size_t kReceiveBuffer = 512 * 1024;

/// The window that a kernel of this release ("6.1.0-13-amd64") makes of kReceiveBuffer: half. From
/// Linux 6.6 on it goes by what packets take in memory, and becomes nearly all of it for large ones:
/// 31/32, as seen on 6.18. Half of it where the release cannot be read.
[[nodiscard]] std::size_t receive_window(std::string_view release);
/// The same of the kernel that runs.
[[nodiscard]] std::size_t receive_window();

/// After how long without an answer a connection may send again, at the earliest, among so many hosts
/// with links of this rate: as long as a port takes for what all of them may have on their way to it,
/// twice. What waits behind all that is not lost. TCP's usual 200 ms at least, 10 s at most.
[[nodiscard]] std::chrono::milliseconds shortest_timeout(BitRate rate, std::size_t hosts);

/// Sets TCP's settings in the calling thread's network namespace, with this shortest timeout (from
/// Linux 6.11 on). Those that the kernel lacks, or that may not be set, stay as they are. Never throws.
void configure_tcp(std::chrono::milliseconds shortest_timeout);

/// Has the bridges of the calling thread's namespace take packets off their senders, as a cable does.
/// Between namespaces a packet stays its sender's, and TCP lets few of a connection's packets wait
/// (TCP small queues): if what waits in a switch counts, too, a sender leaves its own link idle. A
/// bridge whose packets pass a firewall, empty as it is, parts them (setup_pre_routing() in the
/// kernel's br_netfilter_hooks.c). False on kernels without br_netfilter, which cannot. Never throws.
bool forget_senders();

}  // namespace gradwire::testbed
