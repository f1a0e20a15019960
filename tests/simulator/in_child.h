#pragma once

#include <functional>
#include <vector>

namespace gradwire::simulator::testing {

/// What `work` returns, computed in a forked process of its own, which ends without running
/// destructors. Blocks until it has ended. Throws std::runtime_error when it ends otherwise than
/// by returning: by a signal, an exception or an exit. The caller must have one thread.
[[nodiscard]] std::vector<double> in_child(const std::function<std::vector<double>()>& work);

/// The most memory that this process has held at once, in bytes.
[[nodiscard]] double peak_memory();

}  // namespace gradwire::simulator::testing
