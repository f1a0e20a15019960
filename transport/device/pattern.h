#pragma once

#include <cstddef>
#include <optional>

#include "core/id.h"
#include "core/pattern.h"
#include "transport/device/device.h"

/// Pattern (core/pattern.h) for gradients in a device's memory. `part` is a part of a gradient that
/// begins at the gradient's element `first`. Throws DeviceError, and InternalError for another
/// type.
namespace gradwire::transport::device {

/// Fills the part as Pattern::fill does. Returns at once: the work is done in the order of the
/// stream.
void fill(Stream& stream, DeviceElements part, const Pattern& pattern, Rank rank,
          std::size_t first);
/// Finds a damaged element as Pattern::find_damaged does. Blocks until all work of the stream is
/// done.
[[nodiscard]] std::optional<std::size_t> find_damaged(Stream& stream, DeviceElements part,
                                                      const Pattern& pattern, Rank rank,
                                                      std::size_t first);
/// Counts wrong elements as Pattern::count_wrong does. Blocks until all work of the stream is done.
[[nodiscard]] std::size_t count_wrong(Stream& stream, DeviceElements part, const Pattern& pattern,
                                      std::size_t first);

}  // namespace gradwire::transport::device
