#pragma once

namespace gradwire::faults {

/// Moves the calling thread, and those that it starts, into a network namespace of its own, where
/// closed connections keep no ports: tens of thousands of them in a minute would take all there are.
/// False where that is not allowed, and nothing has changed. Requires a single-threaded caller.
bool enter_own_network();

}  // namespace gradwire::faults
