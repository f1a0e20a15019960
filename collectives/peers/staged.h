#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "collectives/peers/blocks.h"
#include "collectives/peers/collective.h"
#include "core/extent.h"
#include "transport/device/device.h"

/// Gradients in a device's memory, for libraries that are given the host's.
namespace gradwire::peers {

/// How a collective is cut, where that changes nothing of what it means: each element of an
/// all-reduce, a broadcast or a reduce is for itself, so these may be several calls of the library
/// beside each other. The same on all ranks.
struct PieceOptions {
  std::size_t least_bytes = 4 * 1024 * 1024;  ///< no piece is smaller, but for a whole that is
  std::size_t most = 8;                       ///< pieces of an extent
};

/// What the library is asked for, and by whom.
struct StagedTask {
  What what = What::all_reduce;
  Group group;
  PieceOptions pieces = {};
};

/// Connects a library for a gradient in the host's memory and these extents of it. The gradient
/// outlives what it returns.
using ConnectLibrary = std::function<std::unique_ptr<Collective>(std::span<float> gradient,
                                                                 std::span<const Extent> extents)>;

/// The pieces in which a collective on an extent of float32 runs, one call of the library each, in
/// this order. They lie side by side and are all of it; one where it cannot be cut.
[[nodiscard]] std::vector<Extent> pieces_of(const Extent& whole, What what,
                                            const PieceOptions& options);

/// Connects a library for a gradient of float32 in the memory of a device. What a rank begins with is
/// copied to a pinned copy of the gradient, on which the library works, and what it ends with is
/// copied back:
///
///     device -> pinned copy -> the library -> pinned copy -> device
///
/// Pieces (pieces_of) are calls of the library, one after the other. While it works on one, the device
/// copies those behind it out and those before it in. run() returns when all is on the device, and
/// put_in_place() has nothing left to do: what a library leaves in memory of its own is moved within
/// run(), as it is on its way to the device. `device`, and the gradient's memory, must outlive the
/// result, which keeps as much pinned memory as the gradient has. Collective. Throws what `connect`
/// throws, and DeviceError; InternalError for another type.
[[nodiscard]] std::unique_ptr<Collective> connect_staged(transport::device::Device& device,
                                                         transport::device::DeviceElements gradient,
                                                         std::span<const Extent> extents,
                                                         const StagedTask& task,
                                                         const ConnectLibrary& connect);

}  // namespace gradwire::peers
