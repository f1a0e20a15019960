#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ucp/api/ucp.h>

#include "core/error.h"
#include "transport/port_binding.h"
#include "transport/ucx/context_options.h"

/// Owners of UCX's objects. UCX is a C library with its own configuration, log and allocations: its
/// environment variables for devices, transports and lanes are overridden, and its output is
/// silenced unless UCX_LOG_LEVEL is set.
namespace gradwire::transport::ucx {

/// Throws FabricError(refused) at `place`, with `what` and UCX's text, unless the status is UCS_OK.
void require(ucs_status_t status, const FabricPlace& place, const std::string& what);

/// The wire's name: "tcp", "rc".
[[nodiscard]] std::string to_string(Wire wire);

/// Registration of memory with a context's device, so that nothing has to be registered in timed
/// code.
class Registration {
 public:
  /// Registers memory of this kind. Context and memory must outlive it. Throws FabricError(refused)
  /// at `place`.
  Registration(ucp_context_h context, std::span<std::byte> memory, ucs_memory_type_t kind,
               const FabricPlace& place);

 private:
  struct Unmap {
    ucp_context_h context;
    void operator()(ucp_mem_h memory) const { ucp_mem_unmap(context, memory); }
  };
  std::unique_ptr<ucp_mem, Unmap> memory_;
};

/// Deleter of UCX's context.
struct CleanUp {
  void operator()(ucp_context_h context) const { ucp_cleanup(context); }
};
using OwnContext = std::unique_ptr<ucp_context, CleanUp>;

/// UCX on exactly one port. Thread-safe: the workers of several lanes may share it.
class Context {
 public:
  /// Opens UCX on the port. Throws FabricError(refused) at `place` when UCX does not have the
  /// device, when an RDMA device is missing or has no link-local RoCE v2 GID, or when UCX must take
  /// CUDA's memory and does not.
  Context(const PortBinding& port, const ContextOptions& options, const FabricPlace& place);

  /// UCX's handle, still owned.
  [[nodiscard]] ucp_context_h get() const { return context_.get(); }
  /// Registers memory of this kind with the device. The memory must outlive the context, which must
  /// not be shared yet. Throws FabricError(refused) at `place`.
  void remember(std::span<std::byte> memory, ucs_memory_type_t kind, const FabricPlace& place);

 private:
  OwnContext context_;
  std::vector<Registration> registrations_;
};

/// UCX worker, which progresses a lane's traffic on one port. Used by one thread at a time.
class Worker {
 public:
  /// Makes a worker of the context. Throws FabricError(refused) at `place`.
  Worker(std::shared_ptr<const Context> context, const FabricPlace& place);

  /// UCX's handle, still owned.
  [[nodiscard]] ucp_worker_h get() const { return worker_.get(); }
  /// The context that the worker was made with.
  [[nodiscard]] const std::shared_ptr<const Context>& context() const { return context_; }
  /// The worker's address for peers: opaque bytes.
  [[nodiscard]] std::string address() const;
  /// Progresses operations under way and runs their callbacks. True when something was done.
  bool progress() { return ucp_worker_progress(worker_.get()) != 0; }
  /// Arms event() to become readable with the next event, and progresses what came before; runs the
  /// callbacks. False when something was done, or an event has come already: the caller must not
  /// sleep, but progress.
  [[nodiscard]] bool arm();
  /// Descriptor that is readable when an event has come since arm().
  [[nodiscard]] int event() const { return event_; }

 private:
  struct Destroy {
    void operator()(ucp_worker_h worker) const { ucp_worker_destroy(worker); }
  };
  std::shared_ptr<const Context> context_;
  std::unique_ptr<ucp_worker, Destroy> worker_;
  int event_ = -1;  ///< owned by the worker
};

}  // namespace gradwire::transport::ucx
