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

/// Gradients in a device's memory, for libraries that work on the host's.
namespace gradwire::peers {

/// The limits for cutting a collective, where that does not change its meaning: each element of an
/// all-reduce, a broadcast or a reduce is for itself, so several calls of the library may do it.
/// The same on all ranks.
struct PieceOptions {
  /// The least bytes of a piece, unless the whole is smaller.
  std::size_t least_bytes = 4 * 1024 * 1024;
  std::size_t most = 8;  ///< most pieces of an extent
};

/// The collective that the library runs, and its rank.
struct StagedTask {
  What what = What::all_reduce;
  Group group;
  PieceOptions pieces = {};
};

/// Connects a library for a gradient in the host's memory and these extents of it. The gradient
/// outlives the result.
using ConnectLibrary = std::function<std::unique_ptr<Collective>(std::span<float> gradient,
                                                                 std::span<const Extent> extents)>;

/// The pieces in which a collective on an extent of float32 runs, one call of the library each, in
/// this order. They lie side by side and are all of it. There is one if it cannot be cut.
[[nodiscard]] std::vector<Extent> pieces_of(const Extent& whole, What what,
                                            const PieceOptions& options);

/// Connects a library for a gradient of float32 in the memory of a device. The elements that a rank
/// begins with are copied to a pinned copy of the gradient, on which the library works, and those
/// that it ends with are copied back:
///
///     device -> pinned copy -> the library -> pinned copy -> device
///
/// Pieces (pieces_of) are calls of the library, one after the other. While it works on one, the
/// device copies later pieces out and earlier ones in. run() returns when all is on the device, and
/// put_in_place() has nothing left to do: a result in the library's own memory is moved within
/// run(), on its way to the device. `device`, and the gradient's memory, must outlive the result,
/// which keeps as much pinned memory as the gradient has. Collective. Throws the errors of
/// `connect`, DeviceError, and InternalError for another type.
[[nodiscard]] std::unique_ptr<Collective> connect_staged(transport::device::Device& device,
                                                         transport::device::DeviceElements gradient,
                                                         std::span<const Extent> extents,
                                                         const StagedTask& task,
                                                         const ConnectLibrary& connect);

}  // namespace gradwire::peers
