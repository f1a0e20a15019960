#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/plan.h"
#include "transport/cancellation.h"
#include "transport/endpoint.h"
#include "transport/port_binding.h"
#include "transport/rendezvous.h"
#include "transport/tcp/handshake.h"

namespace gradwire::transport::tcp {

struct ConnectOptions {
  /// The same on all ranks of a run.
  RunKey key{};
  /// For all connections together, from when all ranks listen.
  Nanoseconds timeout = std::chrono::seconds(10);
  /// Sent data that stays unacknowledged for this long breaks its connection.
  Nanoseconds unacknowledged = std::chrono::seconds(10);
};

/// Connects the lanes of `plan` on rank `self`: one connection per lane, peer and pair of ports,
/// each bound to its local port's device and address. Of two ranks the lower one connects. A
/// connection that does not begin with the run's key is dropped, whoever it comes from; it may send
/// up to kHelloBytes and gets 2 s.
///
/// `ports` is indexed by Port. `gradient` is the buffer that the Plan's extents refer to; it and
/// the cancellation must outlive the endpoints. Collective: blocks until all ranks are connected.
/// Throws FabricError(refused) naming the peer and the port, FabricError(cancelled), InputError for
/// a binding's address, SystemError when a socket cannot be had, and what the rendezvous throws.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(
    const Plan& plan, Rank self, std::span<float> gradient, std::span<const PortBinding> ports,
    Rendezvous& rendezvous, const Cancellation& cancellation, const Clock& clock,
    const ConnectOptions& options);

}  // namespace gradwire::transport::tcp
