#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Flows that share links, without Plans: the simulator's network alone.
namespace gradwire::simulator {

/// Bytes that cross some links from a moment on.
struct TimedFlow {
  /// Directed links, each at most once; without any it is done at `start`.
  std::vector<std::size_t> links;
  double bytes = 0;
  double start = 0;  ///< seconds
};

/// The time at which each flow has carried its last byte, in seconds, by flow. At any moment the
/// flows share the links max-min fair. `capacities` are bytes per second by directed link,
/// positive.
[[nodiscard]] std::vector<double> completion_times(std::span<const double> capacities,
                                                   std::span<const TimedFlow> flows);

}  // namespace gradwire::simulator
