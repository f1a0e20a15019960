#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <infiniband/verbs.h>

#include "core/file_descriptor.h"
#include "transport/device/device.h"
#include "transport/port_binding.h"

namespace gradwire::transport::verbs {

/// Failure that the device reported by itself, and that a channel does not survive.
struct AsyncFailure {
  std::uint32_t qp_number = 0;  ///< 0: all of the port
  std::string what;
};

/// RDMA device, opened for one port of the rank, with its protection domain. Lanes share it;
/// thread-safe.
class Device {
 public:
  /// Opens the binding's RDMA device, and finds on it the RoCE v2 GID that belongs to the binding's
  /// network interface and address. Throws InputError, which lists the devices or GIDs that exist,
  /// when one of them is not there or the port is down; SystemError when the device refuses.
  explicit Device(const PortBinding& binding);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// libibverbs' handle of the open device, still owned.
  [[nodiscard]] ibv_context* context() const { return context_.get(); }
  /// The protection domain of its queue pairs and memory regions, still owned.
  [[nodiscard]] ibv_pd* protection_domain() const { return domain_.get(); }
  /// The kernel's name of the device: "r3p0".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The device's limits.
  [[nodiscard]] const ibv_device_attr& limits() const { return limits_; }
  /// The port's GID, with its index in the device's table, which is valid on this machine only.
  [[nodiscard]] const ibv_gid_entry& gid() const { return gid_; }
  /// The number of the device's port that the GID belongs to.
  [[nodiscard]] std::uint8_t port() const { return static_cast<std::uint8_t>(gid_.port_num); }
  /// The largest packet payload that the port can send.
  [[nodiscard]] ibv_mtu mtu() const { return attributes_.active_mtu; }
  /// The most bytes that one message can have.
  [[nodiscard]] std::size_t largest_message() const { return attributes_.max_msg_sz; }

  /// Descriptor that is readable when asynchronous events wait for take_events().
  [[nodiscard]] int event_fd() const { return context_->async_fd; }
  /// Takes the asynchronous events that wait, and notes the failures among them. Never blocks.
  void take_events();
  /// Descriptor that becomes readable, and stays so, once there is a failure, so that all lanes see
  /// it: the event itself goes to the one lane that takes it.
  [[nodiscard]] int alarm_fd() const { return alarm_.get(); }
  /// The failures so far.
  [[nodiscard]] std::vector<AsyncFailure> failures() const;

 private:
  struct Release {
    void operator()(ibv_context* context) const { ::ibv_close_device(context); }
    void operator()(ibv_pd* domain) const { ::ibv_dealloc_pd(domain); }
  };

  void note(const ibv_async_event& event);

  std::string name_;
  std::unique_ptr<ibv_context, Release> context_;
  ibv_device_attr limits_{};
  ibv_gid_entry gid_{};
  ibv_port_attr attributes_{};
  std::unique_ptr<ibv_pd, Release> domain_;
  FileDescriptor alarm_;
  mutable std::mutex mutex_;
  std::vector<AsyncFailure> failures_;
};

/// Memory that a device may read, and that peers with its address and key may write. Keeps its
/// device open.
class MemoryRegion {
 public:
  /// Registers `memory`, which must not be empty and must outlive the region. A GPU's memory is
  /// imported as its driver has exported it, or registered by address where nvidia-peermem is
  /// loaded. Throws SystemError; most often because little memory may be locked (ulimit -l), or
  /// because the RDMA device imports nothing.
  MemoryRegion(std::shared_ptr<Device> device, std::span<std::byte> memory,
               const std::optional<transport::device::DmaBuf>& exported = {});

  /// The key for work that this rank gives to the device.
  [[nodiscard]] std::uint32_t local_key() const { return region_->lkey; }
  /// The key with which peers write.
  [[nodiscard]] std::uint32_t remote_key() const { return region_->rkey; }
  /// The address at which the memory begins, as local and remote work names it.
  [[nodiscard]] std::uint64_t address() const { return address_; }

 private:
  struct Release {
    void operator()(ibv_mr* region) const { ::ibv_dereg_mr(region); }
  };

  std::shared_ptr<Device> device_;
  std::uint64_t address_;
  std::unique_ptr<ibv_mr, Release> region_;
};

}  // namespace gradwire::transport::verbs
