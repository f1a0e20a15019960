#pragma once

namespace gradwire::testbed {

/// Gives up every capability for good, across exec too, and every way to regain one.
/// Async-signal-safe. Returns false, with errno set, when the kernel refuses.
[[nodiscard]] bool drop_all_capabilities() noexcept;

}  // namespace gradwire::testbed
