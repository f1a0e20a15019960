#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/clock.h"
#include "harness/run/measured_limits.h"
#include "harness/run/measuring/slow_link.h"
#include "harness/workers/session/session.h"
#include "testbed/calibration.h"
#include "testbed/shape.h"
#include "topologies/topology.h"

/// Whether links carry what they should, measured by the workers and the transport
/// that carry gradients later.
namespace gradwire::run {

struct Calibration {
  /// Payload bytes per second of one link and direction; infinite for unlimited links.
  double expected = 0;
  std::vector<testbed::Flow> flows;
  /// Payload bytes per second by flow, beside few others that share no host and no link with it.
  std::vector<double> alone;
  std::size_t repeated = 0;  ///< measurements of a single link taken again, because it was off
  /// Links that stayed off in spite of it; where there are at most four, each with what was found
  /// out about its ends. Only of links that have a shaper.
  std::vector<OffLink> off;
  double together = 0;  ///< rate of the slowest flow, all at once, when that was fastest
  Seconds startup{};    ///< start-up of messages of a few bytes, one on every link at once: median
  /// Payload bytes per second of a link while all pass a burst at once; infinite for unlimited
  /// links, which have no shaper.
  double burst_rate = 0;

  /// The slowest rate that is not off.
  [[nodiscard]] double least() const { return (1 - kLinkTolerance) * expected; }
  /// All links at once are slower than that: the machine is the limit, not the wire. Never so of
  /// unlimited links, which the machine alone limits.
  [[nodiscard]] bool machine_bound() const { return std::isfinite(expected) && together < least(); }
};

/// Links to be measured, by workers that stand on all hosts of their wiring.
struct MeasuredLinks {
  std::shared_ptr<const topologies::Topology> wiring;
  workers::Session& session;
  testbed::LinkShape shape;
  Nanoseconds timeout{};  ///< nothing moves for this long: measuring fails
};

/// Waits until shapers let a whole burst through again, whatever they carried before. Throws
/// Interrupted.
void wait_for_bursts(const testbed::LinkShape& shape);

/// Measures every host's links, a few at a time that share nothing, and all of them together. Takes
/// about 0.2 s for a few links, more on those of less than 30 Mbit/s. A link that is off is measured
/// again alone, up to four times over 3 s, and the closest counts; an unlimited one cannot be off.
/// Where few stay off, their ports are measured with other hosts, too. All together are measured
/// again in the same way while the machine is the limit, and the fastest counts. Throws FabricError,
/// Interrupted.
[[nodiscard]] Calibration calibrate(const MeasuredLinks& links, const CalibrationTimes& times = {});

/// Payload bytes per second of the slowest flow when all links send at once for about `duration` at
/// the shape's rate.
[[nodiscard]] double measure_together(const MeasuredLinks& links, Seconds duration);

/// Throws Preflight for links that alone are off their rate by more than kLinkTolerance. It names
/// each that is slow itself, with ranks, ports and figures, or the first where the machine is to
/// blame. An unlimited link has none to be off.
void require_rates(const topologies::Topology& topology, const Calibration& calibration);

[[nodiscard]] nlohmann::json to_json(const Calibration& calibration);

}  // namespace gradwire::run
