#pragma once

#include <memory>
#include <vector>

#include "core/units.h"
#include "transport/authentication.h"
#include "transport/bootstrap.h"
#include "transport/endpoint.h"

namespace gradwire::transport::tcp {

/// Options of connecting over TCP.
struct ConnectOptions {
  /// The run's key, the same on all ranks of a run.
  RunKey key{};
  /// Whether every frame has a CRC32C behind it (transport/tcp/frame.h). Must be the same on all
  /// ranks.
  bool check_frames = true;
  /// Longest time that all connections together may take, from when all ranks listen.
  Nanoseconds timeout = std::chrono::seconds(10);
  /// Longest time that sent data may stay unacknowledged; after it the connection breaks.
  Nanoseconds unacknowledged = std::chrono::seconds(10);
  /// Rate of the links, where it is known; hold_patience() derives from it how long a send is held.
  BitRate rate = kUnlimited;
};

/// Connects a rank's lanes: one connection per lane, peer and pair of ports, each bound to its
/// local port's device and address. Of two ranks the lower one connects. Both prove that they have
/// the run's key, which goes over no wire (transport/handshake.h). Strangers are dropped and
/// keep nobody waiting (transport/acceptor.h). What connections carry afterwards is checked for
/// accidents, and neither encrypted nor signed: data networks must be isolated.
///
/// Returns an endpoint per lane. Collective: blocks until all ranks are connected. Throws
/// FabricError(refused) naming the peer and the port, FabricError(cancelled), InputError for a
/// binding's address, SystemError when a socket cannot be had, and what the rendezvous throws.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                                             const ConnectOptions& options);

}  // namespace gradwire::transport::tcp
