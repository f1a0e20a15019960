#pragma once

#include <cstddef>

#include "core/clock.h"
#include "transport/device/device.h"

namespace gradwire::transport::device {

/// Speed of the bus between host and device, in bytes per second.
struct CopySpeed {
  double to_host = 0;
  double to_device = 0;
};

/// Size and number of the copies that measure_copies() times.
struct CopyOptions {
  std::size_t bytes = 64 * 1024 * 1024;  ///< bytes of one copy
  std::size_t copies = 20;               ///< timed together, in each direction
};

/// Measures copies between pinned host memory and the device, one direction after the other: one
/// copy untimed, then options.copies of them together. Blocks until it is done. Throws DeviceError.
[[nodiscard]] CopySpeed measure_copies(Device& device, const Clock& clock,
                                       const CopyOptions& options = {});

}  // namespace gradwire::transport::device
