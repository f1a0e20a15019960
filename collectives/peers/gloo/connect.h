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

/// The collective, its ranks and its limits.
struct ConnectOptions {
  What what = What::all_reduce;
  Algorithm algorithm = Algorithm::ring;  ///< algorithm of an all-reduce
  Rank self;
  std::size_t ranks = 0;
  /// The time limit for connecting, and for every wait.
  Nanoseconds timeout = std::chrono::seconds(10);
};

/// Connects a full mesh over Gloo's own TCP transport (one epoll thread a rank), listening at
/// `port`'s address. Gloo ties no socket to a device: with several ports the routes decide which
/// one a connection leaves by. A reduce-scatter is Gloo's by halving and doubling; Gloo has only
/// one algorithm for each other collective but all-reduce. `gradient` must outlive the result,
/// which keeps buffers of up to twice the extents' size. Collective: blocks until all ranks are
/// connected. The process must ignore SIGPIPE, which Gloo's writes raise once a peer is gone.
/// Throws FabricError(refused), and the rendezvous's errors.
[[nodiscard]] std::unique_ptr<Collective> connect(std::span<float> gradient,
                                                  std::span<const Extent> extents,
                                                  const transport::PortBinding& port,
                                                  transport::Rendezvous& rendezvous,
                                                  const ConnectOptions& options);

}  // namespace gradwire::peers::gloo
