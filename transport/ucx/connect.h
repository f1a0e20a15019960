#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/units.h"
#include "transport/authentication.h"
#include "transport/bootstrap.h"
#include "transport/device/device.h"
#include "transport/endpoint.h"
#include "transport/ucx/context_options.h"

namespace gradwire::transport::ucx {

/// Options of connecting through UCX. All but `poll` must be the same on all ranks of a run.
struct ConnectOptions {
  /// The run's key.
  RunKey key{};
  ContextOptions context;
  /// Longest time that all connections together may take.
  Nanoseconds timeout = std::chrono::seconds(10);
  /// Bytes of a segment. Operations are cut into segments, so that adding overlaps receiving and
  /// staging memory is bounded. At least an element.
  std::size_t segment = 256 * 1024;
  /// Segments that each direction of a channel has under way, and by which its sender may be ahead
  /// of the receiver. At least 1.
  std::size_t window = 4;
  /// Whether lanes poll without ever sleeping. Only for machines with a core for every lane.
  bool poll = false;
};

/// Connects a rank's lanes through UCX: a context for each port in use, pinned to the port's
/// interface or RDMA device; for each lane a worker on each port that it uses; a connection per
/// lane, peer and pair of ports. Nothing is spread over several ports.
///
/// UCX binds its TCP sockets to no interface: the kernel's route to the peer's address decides. A
/// peer whose route leaves through another port is refused.
///
/// UCX finds interfaces below /sys/class/net: in a network namespace, /sys must be its own.
///
/// Ranks prove to each other that they have the run's key, so a rank of another run is refused. UCX
/// itself knows no secret: a stranger who reaches its sockets can write where they like in the memory
/// of the process. Only for networks where everybody is trusted.
///
/// Returns an endpoint per lane. Collective: blocks until all ranks are connected. Throws
/// FabricError(refused) naming the peer and the port, FabricError(cancelled), and what the
/// rendezvous throws.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                                             const ConnectOptions& options);

/// Connects a rank's lanes as above, for a gradient in the memory of a device. UCX gets the
/// device's addresses: it sends from there and receives into it; data to be added arrives in other
/// memory of the device, which adds it. Reach must allow others than the device's streams to access
/// its addresses. The bootstrap's own gradient is not used. Throws DeviceError, too.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(
    const Bootstrap& bootstrap, const ConnectOptions& options,
    const device::DeviceGradient& gradient);

/// Whether the loaded UCX takes addresses of CUDA's memory: it was built with CUDA, and finds a
/// GPU. Asks UCX itself. Never throws because something is missing.
[[nodiscard]] bool takes_cuda_memory();

}  // namespace gradwire::transport::ucx
