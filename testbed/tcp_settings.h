#pragma once

#include <cstddef>

/// How TCP behaves on emulated hosts, whatever the machine's settings are.
namespace gradwire::testbed {

/// What a TCP connection of an emulation buffers at its receiver, and the window that the kernel
/// makes of it at first: half. From Linux 6.6 on it becomes up to nearly all of it.
inline constexpr std::size_t kReceiveBuffer = 512 * 1024;
inline constexpr std::size_t kReceiveWindow = kReceiveBuffer / 2;

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
