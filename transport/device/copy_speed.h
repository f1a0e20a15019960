#pragma once

#include <cstddef>

#include "core/clock.h"
#include "transport/device/device.h"

namespace gradwire::transport::device {

/// What a device's bus carries, in bytes per second.
struct CopySpeed {
  double to_host = 0;
  double to_device = 0;
};

/// How it is measured.
struct CopyOptions {
  std::size_t bytes = 64 * 1024 * 1024;  ///< of a copy
  std::size_t copies = 20;               ///< that are timed together, each way
};

/// Copies between pinned memory of the host and the device, one way after the other: once untimed, then
/// so often together. Blocks until it is done. Throws DeviceError.
[[nodiscard]] CopySpeed measure_copies(Device& device, const Clock& clock,
                                       const CopyOptions& options = {});

}  // namespace gradwire::transport::device
