#pragma once

#include <cstddef>
#include <vector>

#include "core/clock.h"
#include "core/plan.h"
#include "harness/experiment.h"
#include "harness/result.h"

/// An experiment made ready: every point resolved and proven before the first packet.
namespace gradwire::harness {

/// A point with everything that can be computed about it.
struct PreparedPoint {
  Point point;
  Configuration configuration;
  std::vector<Plan> plans;  ///< by rank, proven by the checker
  Seconds bound;            ///< undilated
};

/// Resolves workloads and algorithms. Throws InputError at the place of the file where a point does
/// not make sense, and when the emulation would need more memory than the machine has.
[[nodiscard]] std::vector<PreparedPoint> prepare(const Experiment& experiment);

/// Memory that the workers of a point need for their gradients, in bytes.
[[nodiscard]] double gradient_bytes(const PreparedPoint& point);
/// Of the machine.
[[nodiscard]] double machine_bytes();

/// Bytes that the busiest port of any rank sends in one iteration.
[[nodiscard]] double busiest_port_bytes(const PreparedPoint& point);

}  // namespace gradwire::harness
