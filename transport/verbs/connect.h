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

/// How ranks connect over RDMA devices. Segment size and slots must be the same on all ranks.
struct ConnectOptions {
  /// The time within which every connection must have had its first acknowledgement.
  Nanoseconds timeout = std::chrono::seconds(10);
  PathOptions path;
  /// What is granted, written and reported at a time; whole elements, and no more than the
  /// devices can send as one message.
  std::size_t segment_bytes = 256 * 1024;
  /// Segments that a channel may have under way, each with a staging slot where they are added. At
  /// least kLeastWindow (flow_control.h).
  std::size_t staging_slots = 8;
  /// Whether a lane that waits yields the processor instead of sleeping.
  bool poll = false;
  /// A lane that nothing reaches for this long sees whether its peers are still there.
  Nanoseconds probe_interval = std::chrono::seconds(1);
};

/// Connects a rank's lanes: a reliable connection per lane, peer and pair of ports, between the
/// RDMA devices of the ports. The ranks tell each other over the rendezvous what it takes: numbers of
/// queue pairs and keys of memory go over no data network. A device checks neither who sends a packet
/// nor what it writes, beyond these numbers and the wire's own check (ICRC): data networks must be
/// isolated. The gradient is registered with every port that the Plan uses.
///
/// Returns an endpoint per lane. Collective: blocks until all ranks are connected.
///
/// Throws InputError when a port's RDMA device or its GID is not there, or options make no sense;
/// SystemError when the device refuses; FabricError(refused) naming the peer and the port when a
/// connection does not come about; FabricError(cancelled); and what the rendezvous throws.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& bootstrap,
                                                             const ConnectOptions& options);

/// The same for a gradient in the memory of a device, which RDMA devices get at as it says
/// (device::RdmaAccess): peers write into it, and what is to be added into other memory of the device,
/// which adds it. The bootstrap's own gradient is left alone. Throws DeviceError, too, where they do not.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect(
    const Bootstrap& bootstrap, const ConnectOptions& options,
    const device::DeviceGradient& gradient);

}  // namespace gradwire::transport::verbs
