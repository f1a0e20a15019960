#pragma once

#include <cstddef>
#include <span>

#include <ucp/api/ucp.h>

#include "transport/device/device.h"

namespace gradwire::transport::ucx {

/// UCX's memory type for addresses of this reach. Throws InternalError for a device's own.
[[nodiscard]] ucs_memory_type_t kind_of(device::Reach reach);

/// Operation that UCX was asked for, and its status. While it is under way UCX keeps its address:
/// it must neither move nor go before the worker does.
class Request {
 public:
  Request() = default;
  virtual ~Request() = default;
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  // Each of the next three starts one thing and requires done(). The bytes must stay until the
  // request is done again, which may be at once.

  /// Sends bytes, which lie in memory of this kind, under a tag.
  void send(ucp_ep_h to, std::span<const std::byte> bytes, ucp_tag_t tag,
            ucs_memory_type_t kind = UCS_MEMORY_TYPE_HOST);
  /// Receives the bytes that come with this tag into memory of this kind.
  void receive(ucp_worker_h worker, std::span<std::byte> bytes, ucp_tag_t tag,
               ucs_memory_type_t kind = UCS_MEMORY_TYPE_HOST);
  /// Flushes the endpoint: done() tells that everything sent before has left.
  void flush(ucp_ep_h endpoint);

  /// Whether nothing is under way, as in a new request.
  [[nodiscard]] bool done() const { return done_; }
  /// The status with which the last operation ended.
  [[nodiscard]] ucs_status_t status() const { return status_; }

 private:
  friend struct Callbacks;

  /// Hook that is called when the operation is done, from within UCX or from the call that started
  /// it.
  virtual void ended() noexcept {}
  void begin(ucs_status_ptr_t started);
  void end(ucs_status_t status) noexcept;

  bool done_ = true;
  ucs_status_t status_ = UCS_OK;
};

}  // namespace gradwire::transport::ucx
