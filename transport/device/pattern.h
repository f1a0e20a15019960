#pragma once

#include <cstddef>
#include <optional>

#include "core/id.h"
#include "core/pattern.h"
#include "transport/device/device.h"

/// What Pattern does in the host's memory (core/pattern.h), in a device's: parts of a gradient that
/// begin at its element `first`. Throws DeviceError, and InternalError for another type.
namespace gradwire::transport::device {

/// As Pattern::fill. Returns at once: it is done in the order of the stream.
void fill(Stream& stream, DeviceElements part, const Pattern& pattern, Rank rank,
          std::size_t first);
/// As Pattern::find_damaged. Blocks until all that the stream was given is done.
[[nodiscard]] std::optional<std::size_t> find_damaged(Stream& stream, DeviceElements part,
                                                      const Pattern& pattern, Rank rank,
                                                      std::size_t first);
/// As Pattern::count_wrong. Blocks as find_damaged.
[[nodiscard]] std::size_t count_wrong(Stream& stream, DeviceElements part, const Pattern& pattern,
                                      std::size_t first);

}  // namespace gradwire::transport::device
