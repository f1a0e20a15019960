#pragma once

#include <cstddef>
#include <string_view>

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

/// Sets TCP's settings in the calling thread's network namespace. Those that the kernel lacks, or
/// that may not be set, stay as they are. Never throws.
void configure_tcp();

/// Has the bridges of the calling thread's namespace take packets off their senders, as a cable does.
/// Between namespaces a packet stays its sender's, and TCP lets few of a connection's packets wait
/// (TCP small queues): if what waits in a switch counts, too, a sender leaves its own link idle. A
/// bridge whose packets pass a firewall, empty as it is, parts them (setup_pre_routing() in the
/// kernel's br_netfilter_hooks.c). False on kernels without br_netfilter, which cannot. Never throws.
bool forget_senders();

}  // namespace gradwire::testbed
