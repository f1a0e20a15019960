#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "core/units.h"

/// Settings of TCP on emulated hosts, whatever the machine's settings are.
namespace gradwire::testbed {

/// Receive buffer of an emulation's TCP connection, in bytes.
inline constexpr std::size_t kReceiveBuffer = 512 * 1024;

/// The window that a kernel of this release ("6.1.0-13-amd64") makes of kReceiveBuffer. It is half
/// of the buffer, also where the release cannot be read. From Linux 6.6 on it depends on the memory
/// that packets take, and is nearly the whole buffer for large ones: 31/32, as seen on 6.18.
[[nodiscard]] std::size_t receive_window(std::string_view release);
/// The receive window of the running kernel.
[[nodiscard]] std::size_t receive_window();

/// The shortest time without an answer after which a connection may send again, among `hosts` hosts
/// with links of this rate. It is twice the time that a port takes for all data that the hosts may
/// have on their way to it, so that data that waits behind all others is not lost. TCP's usual 200
/// ms at least, 10 s at most.
[[nodiscard]] std::chrono::milliseconds shortest_timeout(BitRate rate, std::size_t hosts);

/// Sets TCP's settings in the calling thread's network namespace, with this shortest timeout (from
/// Linux 6.11 on). Settings that the kernel lacks, or that may not be set, stay as they are. Never
/// throws.
void configure_tcp(std::chrono::milliseconds shortest_timeout);

/// Makes the bridges of the calling thread's namespace take packets off their senders' accounts, as
/// a cable does. Between namespaces a packet stays its sender's, and TCP lets few of a connection's
/// packets wait (TCP small queues): if packets in a switch count, too, a sender leaves its own link
/// idle. A bridge whose packets pass a firewall, even an empty one, parts them (setup_pre_routing()
/// in the kernel's br_netfilter_hooks.c). False on kernels without br_netfilter, which cannot.
/// Never throws.
bool forget_senders();

}  // namespace gradwire::testbed
