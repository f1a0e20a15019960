#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "collectives/peers/collective.h"
#include "collectives/peers/gloo/algorithm.h"
#include "core/extent.h"
#include "core/id.h"
#include "core/units.h"
#include "transport/port_binding.h"
#include "transport/rendezvous.h"

namespace gradwire::peers::gloo {

/// What, and among whom.
struct ConnectOptions {
  What what = What::all_reduce;
  Algorithm algorithm = Algorithm::ring;  ///< of an all-reduce
  Rank self;
  std::size_t ranks = 0;
  /// For connecting, and for every wait.
  Nanoseconds timeout = std::chrono::seconds(10);
};

/// Connects a full mesh over Gloo's own TCP transport (one epoll thread a rank), listening at
/// `port`'s address. Gloo ties no socket to a device: with several ports a connection leaves by
/// whichever the routes say. A reduce-scatter is Gloo's by halving and doubling; it has one of each of
/// the others. `gradient` must outlive the result, which keeps buffers of up to twice the extents'
/// size. Collective: blocks until all ranks are connected. The process must ignore
/// SIGPIPE, which Gloo's writes raise once a peer is gone. Throws FabricError(refused), and what
/// the rendezvous throws.
[[nodiscard]] std::unique_ptr<Collective> connect(std::span<float> gradient,
                                                  std::span<const Extent> extents,
                                                  const transport::PortBinding& port,
                                                  transport::Rendezvous& rendezvous,
                                                  const ConnectOptions& options);

}  // namespace gradwire::peers::gloo
