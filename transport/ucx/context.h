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

/// UCX's objects, owned. UCX is a C library with its own configuration, log and allocations: what
/// it would read from the environment about devices, transports and lanes is overridden, and what
/// it would print is silenced unless UCX_LOG_LEVEL is set.
namespace gradwire::transport::ucx {

/// Throws FabricError(refused) at `place`, with `what` and UCX's text, unless the status is UCS_OK.
void require(ucs_status_t status, const FabricPlace& place, const std::string& what);

/// "tcp", "rc".
[[nodiscard]] std::string to_string(Wire wire);

/// Memory that a context's device knows, so that nothing has to be registered in timed code.
class Registration {
 public:
  /// Context and memory, which is of this kind, must outlive it. Throws FabricError(refused) at
  /// `place`.
  Registration(ucp_context_h context, std::span<std::byte> memory, ucs_memory_type_t kind,
               const FabricPlace& place);

 private:
  struct Unmap {
    ucp_context_h context;
    void operator()(ucp_mem_h memory) const { ucp_mem_unmap(context, memory); }
  };
  std::unique_ptr<ucp_mem, Unmap> memory_;
};

/// UCX's handle of a context, owned.
struct CleanUp {
  void operator()(ucp_context_h context) const { ucp_cleanup(context); }
};
using OwnContext = std::unique_ptr<ucp_context, CleanUp>;

/// UCX on one port and nothing else. Thread-safe: the workers of several lanes may share it.
class Context {
 public:
  /// Throws FabricError(refused) at `place` when UCX does not have the device, when an RDMA
  /// device is missing or has no link-local RoCE v2 GID, or when UCX does not take CUDA's memory and
  /// must.
  Context(const PortBinding& port, const ContextOptions& options, const FabricPlace& place);

  /// UCX's handle, still owned.
  [[nodiscard]] ucp_context_h get() const { return context_.get(); }
  /// Registers memory of this kind, which must outlive the context, with the device. Only before the
  /// context is shared. Throws FabricError(refused) at `place`.
  void remember(std::span<std::byte> memory, ucs_memory_type_t kind, const FabricPlace& place);

 private:
  OwnContext context_;
  std::vector<Registration> registrations_;
};

/// What progresses a lane's traffic on one port. Used by one thread at a time.
class Worker {
 public:
  /// Throws FabricError(refused) at `place`.
  Worker(std::shared_ptr<const Context> context, const FabricPlace& place);

  /// UCX's handle, still owned.
  [[nodiscard]] ucp_worker_h get() const { return worker_.get(); }
  /// The context that it was made with.
  [[nodiscard]] const std::shared_ptr<const Context>& context() const { return context_; }
  /// Where peers find it: opaque bytes.
  [[nodiscard]] std::string address() const;
  /// Works on what is under way; runs the callbacks. True when something was done.
  bool progress() { return ucp_worker_progress(worker_.get()) != 0; }
  /// Asks for event() to become readable with the next event, and works on what came before it
  /// asked; runs the callbacks. False when something was done, or there is an event already: the
  /// caller must not sleep, but progress.
  [[nodiscard]] bool arm();
  /// A descriptor, readable when an event has come since arm().
  [[nodiscard]] int event() const { return event_; }

 private:
  struct Destroy {
    void operator()(ucp_worker_h worker) const { ucp_worker_destroy(worker); }
  };
  std::shared_ptr<const Context> context_;
  std::unique_ptr<ucp_worker, Destroy> worker_;
  int event_ = -1;  ///< the worker's
};

}  // namespace gradwire::transport::ucx
