#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/units.h"
#include "transport/bootstrap.h"
#include "transport/device/device.h"
#include "transport/endpoint.h"
#include "transport/verbs/path_options.h"

namespace gradwire::transport::verbs {

/// Options of connecting over RDMA devices. Segment size and slots must be the same on all ranks.
struct ConnectOptions {
  /// Longest time until every connection must have had its first acknowledgement.
  Nanoseconds timeout = std::chrono::seconds(10);
  PathOptions path;
  /// Bytes of a segment, which is granted, written and reported at a time. Whole elements, and no
  /// more than the devices can send as one message.
  std::size_t segment_bytes = 256 * 1024;
  /// Segments that a channel may have under way, each with a staging slot for adding. At least
  /// kLeastWindow (flow_control.h).
  std::size_t staging_slots = 8;
  /// Whether a lane that waits yields the processor instead of sleeping.
  bool poll = false;
  /// Time without news after which a lane probes whether its peers are still there.
  Nanoseconds probe_interval = std::chrono::seconds(1);
};

/// Connects a rank's lanes: a reliable connection per lane, peer and pair of ports, between the
/// RDMA devices of the ports. The ranks exchange numbers of queue pairs and keys of memory over the
/// rendezvous, never over a data network. A device checks neither who sends a packet nor what it
/// writes, beyond these numbers and the wire's own check (ICRC): data networks must be isolated.
/// The gradient is registered with every port that the Plan uses.
///
/// Returns an endpoint per lane. Collective: blocks until all ranks are connected.
///
/// Throws InputError when a port's RDMA device or its GID is not there, or options make no sense;
/// SystemError when the device refuses; FabricError(refused) naming the peer and the port when a
/// connection does not come about; FabricError(cancelled); and what the rendezvous throws.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                                             const ConnectOptions& options);

/// Connects a rank's lanes as above, for a gradient in the memory of a device. RDMA devices access
/// it as device::RdmaAccess says: peers write into it, and data to be added arrives in other memory
/// of the device, which adds it. The bootstrap's own gradient is not used. Throws DeviceError, too,
/// where RDMA devices cannot access it.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(
    const Bootstrap& bootstrap, const ConnectOptions& options,
    const device::DeviceGradient& gradient);

}  // namespace gradwire::transport::verbs
