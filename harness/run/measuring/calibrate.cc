#include "harness/run/measuring/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "harness/workers/preflight.h"
#include "results/record/statistics.h"

namespace gradwire::run {
namespace {

using testbed::Flow;
using testbed::LinkShape;

/// On a slow link, what so many bursts or bytes take: starting must be small against it.
constexpr double kFewestBursts = 4;
constexpr double kFewestBytes = 256 * 1024;
constexpr std::size_t kFewElements = 16;  // a message hardly longer than its headers
/// A machine that was busy for a moment makes a link look slow; a link that is slow stays so.
constexpr std::size_t kAttempts = 5;

/// What is carried to find out what an unlimited link passes: some milliseconds' worth.
constexpr double kUnlimitedBytes = 16.0 * 1024 * 1024;

double payload_rate(const LinkShape& shape) {
  return shape.rate.bytes_per_second() * testbed::payload_fraction(shape.mtu, shape.framing);
}

/// Carries the flows twice, the first time to warm the connections up, and returns the rate of the
/// slowest. The burst, which passes at once, is not counted as carried.
double measure(const MeasuredLinks& links, const std::vector<Flow>& flows, Seconds duration) {
  const LinkShape& shape = links.shape;
  const double bytes = shape.rate.is_limited() ? payload_rate(shape) * duration.count() +
                                                     static_cast<double>(shape.burst)
                                               : kUnlimitedBytes;
  workers::Job job{.wiring = links.wiring,
                   .elements = static_cast<std::size_t>(bytes / sizeof(float)),
                   .flows = flows,
                   .timeout = links.timeout};
  static_cast<void>(links.session.assign(std::move(job)));
  Nanoseconds shortest = Nanoseconds::max();
  for (std::size_t iteration = 0; iteration < 2; ++iteration) {
    Nanoseconds ready = Nanoseconds::min();
    Nanoseconds done = Nanoseconds::min();
    const auto expected = std::chrono::duration_cast<Nanoseconds>(duration);
    for (const record::RankIteration& rank :
         links.session.iterate({.iteration = iteration}, expected)) {
      ready = std::max(ready, rank.start);
      done = std::max(done, rank.end);
    }
    shortest = std::min(shortest, done - ready);
  }
  return (bytes - static_cast<double>(shape.burst)) / Seconds(shortest).count();
}

/// How long messages of so many elements take when all flows carry one at once after a pause: wall
/// time from the last rank's start to the last rank's end, median of several.
Seconds measure_message(const MeasuredLinks& links, const std::vector<Flow>& flows,
                        std::size_t elements) {
  constexpr std::size_t kRuns = 15;
  static_cast<void>(links.session.assign(
      {.wiring = links.wiring, .elements = elements, .flows = flows, .timeout = links.timeout}));
  std::vector<double> times;
  for (std::size_t i = 0; i < kRuns; ++i) {
    Nanoseconds ready = Nanoseconds::min();
    Nanoseconds done = Nanoseconds::min();
    for (const record::RankIteration& rank :
         links.session.iterate({.iteration = i}, Nanoseconds(0))) {
      ready = std::max(ready, rank.start);
      done = std::max(done, rank.end);
    }
    times.push_back(std::max(0.0, Seconds(done - ready).count()));
  }
  return Seconds(record::summarize(times).median);
}

/// What a burst passes at when all links carry one: as fast as the machine is, in payload bytes per
/// second of a link.
double measure_burst(const MeasuredLinks& links, const std::vector<Flow>& flows, Seconds startup) {
  constexpr double kShare = 0.8;  // of the bucket, so that headers fit in, too
  const auto elements =
      static_cast<std::size_t>(kShare * static_cast<double>(links.shape.burst) / sizeof(float));
  const Seconds many = measure_message(links, flows, elements);
  const double slowest = payload_rate(links.shape);
  if (many <= startup) return std::numeric_limits<double>::infinity();
  return std::max(slowest,
                  static_cast<double>(elements * sizeof(float)) / (many - startup).count());
}

double off_rate(double measured, double expected) {
  if (std::isinf(expected)) return 0;
  return std::abs(measured / expected - 1);
}

/// At least so long, and longer on a link so slow that its burst or the start is much of it.
Seconds long_enough(const LinkShape& shape, Seconds least) {
  const double bytes = std::max(kFewestBursts * static_cast<double>(shape.burst), kFewestBytes);
  return std::max(least, Seconds(bytes / shape.rate.bytes_per_second()));
}

/// The rate of one link, and how often it was measured again.
struct LinkRate {
  double closest = 0;  ///< to what it should be, of all attempts
  std::size_t repeated = 0;
};

/// Measures one link, again while it is off.
LinkRate measure_alone(const MeasuredLinks& links, const Flow& flow, Seconds least) {
  const LinkShape& shape = links.shape;
  const double expected = payload_rate(shape);
  const Seconds duration = long_enough(shape, least);
  LinkRate rate{.closest = measure(links, {flow}, duration)};
  const auto is_off = [&] {
    const bool shaped = shape.burst > 0;  // a link of real hosts is not wrong when it is faster
    return (shaped || rate.closest < expected) && off_rate(rate.closest, expected) > kLinkTolerance;
  };
  for (std::size_t i = 1; i < kAttempts && is_off(); ++i) {
    ++rate.repeated;
    const double again = measure(links, {flow}, duration);
    if (off_rate(again, expected) < off_rate(rate.closest, expected)) rate.closest = again;
  }
  return rate;
}

}  // namespace

double measure_together(const MeasuredLinks& links, Seconds duration) {
  return measure(links, testbed::calibration_flows(*links.wiring), duration);
}

Calibration calibrate(const MeasuredLinks& links, const CalibrationTimes& times) {
  const LinkShape& shape = links.shape;
  Calibration calibration{.expected = payload_rate(shape),
                          .flows = testbed::calibration_flows(*links.wiring)};
  for (const Flow& flow : calibration.flows) {
    const LinkRate rate = measure_alone(links, flow, times.alone);
    calibration.alone.push_back(rate.closest);
    calibration.repeated += rate.repeated;
  }
  calibration.startup = measure_message(links, calibration.flows, kFewElements);
  calibration.burst_rate = std::numeric_limits<double>::infinity();
  if (shape.rate.is_limited() && shape.burst > 0) {
    calibration.burst_rate = measure_burst(links, calibration.flows, calibration.startup);
  }
  calibration.together = measure_together(links, long_enough(shape, times.together));
  return calibration;
}

void require_rates(const topologies::Topology& topology, const Calibration& calibration) {
  for (std::size_t i = 0; i < calibration.flows.size(); ++i) {
    if (off_rate(calibration.alone[i], calibration.expected) <= kLinkTolerance) continue;
    const double off = calibration.alone[i] / calibration.expected - 1;
    const Flow& flow = calibration.flows[i];
    throw workers::Preflight(fmt::format(
        "{}: the link from rank {} port {} to rank {} port {} carries {} of payload instead of {} "
        "({:+.1f} %); give the machine less to do, or raise the dilation",
        topology.name(), flow.from.index(), flow.via.index(), flow.to.index(), flow.at.index(),
        to_string(BitRate{calibration.alone[i] * 8}), to_string(BitRate{calibration.expected * 8}),
        100 * off));
  }
}

nlohmann::json to_json(const Calibration& calibration) {
  nlohmann::json links = nlohmann::json::array();
  for (std::size_t i = 0; i < calibration.flows.size(); ++i) {
    const Flow& flow = calibration.flows[i];
    links.push_back({{"from", flow.from.value},
                     {"via", flow.via.value},
                     {"to", flow.to.value},
                     {"at", flow.at.value},
                     {"alone_bytes_per_s", calibration.alone[i]}});
  }
  return {{"expected_bytes_per_s", calibration.expected},
          {"together_bytes_per_s", calibration.together},
          {"machine_bound", calibration.machine_bound()},
          {"repeated", calibration.repeated},
          {"startup_us", calibration.startup.count() * 1e6},
          {"burst_bytes_per_s", calibration.burst_rate},
          {"links", links}};
}

}  // namespace gradwire::run
