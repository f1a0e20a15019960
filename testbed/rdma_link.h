#pragma once

#include <cstdint>
#include <memory>
#include <string>

struct nl_sock;

namespace gradwire::testbed {

/// Soft-RoCE device (rdma_rxe) on a network interface. It is removed when this object is destroyed,
/// and by the kernel when the interface goes.
///
/// All devices of a machine share one space of names and every process sees all of them: namespaces
/// do not divide them. A device's packets take the addresses and routes of its interface's
/// namespace.
class RdmaLink {
 public:
  /// Makes a device on an interface of the calling thread's namespace. Its name is `name`, or, when
  /// a device has that name, `name`-1, `name`-2 and so on. Needs root of the machine itself (see
  /// SandboxOptions), whatever the namespaces. Throws SystemError with the interface when the
  /// kernel refuses.
  RdmaLink(const std::string& name, const std::string& interface);
  RdmaLink(RdmaLink&& other) noexcept;
  RdmaLink& operator=(RdmaLink&&) = delete;
  ~RdmaLink();

  /// The device's name.
  [[nodiscard]] const std::string& device() const { return device_; }

 private:
  struct Close {
    void operator()(nl_sock* socket) const;
  };

  std::unique_ptr<nl_sock, Close> socket_;  ///< null when moved from
  std::string device_;
  std::uint32_t index_ = 0;
};

/// Whether the caller can make Soft-RoCE devices that work inside network namespaces: true as root
/// on Linux 7.2 or newer with rdma_rxe. Tries it in a sandbox of its own, which takes well under a
/// second and leaves nothing behind. Requires a single-threaded caller.
[[nodiscard]] bool rxe_available();

}  // namespace gradwire::testbed
