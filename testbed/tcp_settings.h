#pragma once

#include <cstddef>
#include <string>

/// How TCP behaves on emulated hosts, whatever the machine's settings are.
namespace gradwire::testbed {

/// The most that a TCP connection of an emulation has under way, in bytes: as near as packets'
/// headers let the kernel come. What has run ahead stands in ports' queues before what others wait
/// for, so with more of it ports are shared less evenly.
inline constexpr std::size_t kReceiveWindow = 256 * 1024;

/// What a receiver buffers so that its window is kReceiveWindow, in bytes, with a kernel of this
/// release ("6.12.3-amd64"). Before Linux 6.6 a window was half of the buffer; since then it is
/// what packets' payload takes of their memory, about 15/16 with segmentation offload. A release
/// that cannot be read is taken for a new one.
[[nodiscard]] std::size_t receive_buffer(const std::string& release);

/// Sets TCP's settings in the calling thread's network namespace. Those that the kernel lacks, or
/// that may not be set, stay as they are. Never throws.
void configure_tcp();

}  // namespace gradwire::testbed
