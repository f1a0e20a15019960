#pragma once

namespace gradwire::testbed {

/// A host as a process in it sees it. Its texts are not copied.
struct HostView {
  int namespace_fd = -1;             ///< of its network
  const char* name = nullptr;        ///< as hostname prints it; nullptr: the machine's
  const char* hosts_file = nullptr;  ///< what stands at /etc/hosts; nullptr: the machine's
};

/// Moves the calling process into a host: into its network, and into mount and UTS namespaces of
/// its own, where /sys shows the host's interfaces. Where a /sys is forbidden the machine's stays.
/// Async-signal-safe. False, with errno set, when the kernel refuses.
[[nodiscard]] bool enter_host(const HostView& host) noexcept;

}  // namespace gradwire::testbed
