#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "core/elements.h"
#include "core/plan.h"
#include "transport/device/device.h"
#include "transport/endpoint.h"

/// Staged transport of gradients in a device's memory, over transports that read and write the
/// host's.
namespace gradwire::transport::device {

/// Cutting of operations into pieces. Must be the same on all ranks: both ends of a channel cut
/// alike.
struct StagingOptions {
  std::size_t piece_bytes = 512 * 1024;
  std::size_t slots = 4;  ///< pieces under way at a time, per channel and direction
};

/// Function that connects the lanes of a Plan over a transport, with this memory for its gradient.
/// The Plan must live until it returns, the memory as long as the endpoints.
using ConnectLanes =
    std::function<std::vector<std::unique_ptr<Endpoint>>(const Plan& plan, Elements gradient)>;

/// Connects the lanes of a Plan whose gradient lies in a device's memory, over a transport that
/// uses pinned memory. Every operation is cut into pieces, which are messages of their own. Several
/// are under way per channel and direction:
///
///     send       device -> slot of pinned memory -> transport
///     receive    transport -> slot of pinned memory -> device, where they are added or put in place
///
/// so that copying one overlaps with sending another. A send's elements are done once the transport
/// reports them sent. Returns an endpoint per lane. Throws what `connect` throws, and DeviceError.
[[nodiscard]] std::vector<std::unique_ptr<Endpoint>> connect_staged(
    const Plan& plan, const DeviceGradient& gradient, const ConnectLanes& connect,
    const StagingOptions& options = {});

/// The Plan that a staging transport runs: every operation is cut into pieces of at most `elements`
/// elements, each of which begins at element 0.
[[nodiscard]] Plan in_pieces(const Plan& plan, std::size_t elements);

}  // namespace gradwire::transport::device
