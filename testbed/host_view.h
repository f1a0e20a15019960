#pragma once

namespace gradwire::testbed {

/// View of a host for a process in it. Its strings are not copied.
struct HostView {
  int namespace_fd = -1;             ///< descriptor of the namespace of the host's network
  const char* name = nullptr;        ///< name that hostname prints; nullptr: the machine's
  const char* hosts_file = nullptr;  ///< content of /etc/hosts; nullptr: the machine's
};

/// Moves the calling process into a host: into its network, and into mount and UTS namespaces of
/// its own, where /sys shows the host's interfaces. Where mounting /sys is forbidden, the machine's
/// stays. Async-signal-safe. False, with errno set, when the kernel refuses.
[[nodiscard]] bool enter_host(const HostView& host) noexcept;

}  // namespace gradwire::testbed
