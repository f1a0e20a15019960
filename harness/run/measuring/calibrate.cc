#include "harness/run/measuring/calibrate.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "harness/run/measuring/patience.h"
#include "harness/workers/preflight.h"
#include "results/record/statistics.h"
#include "workloads/workload.h"

namespace gradwire::run {
namespace {

using testbed::Flow;
using testbed::LinkShape;

/// On a slow link, what so many bursts or bytes take: starting must be small against it.
constexpr double kFewestBursts = 4;
constexpr double kFewestBytes = 256 * 1024;
constexpr std::size_t kFewElements = 16;  // a message hardly longer than its headers
/// Links that are measured at the same time because they share nothing. Not more: they share the
/// machine, which is to be no limit yet.
constexpr std::size_t kMostAtOnce = 8;
/// Most links that may be off while anybody looks for the ends that are to blame.
constexpr std::size_t kMostLocated = 4;

/// Most that is left out of flows, as a share of their time, because a receiver starts late.
constexpr double kLatestStart = 0.01;

/// Bytes that are carried to find out what an unlimited link passes: some milliseconds' worth.
constexpr double kUnlimitedBytes = 16.0 * 1024 * 1024;

double payload_rate(const LinkShape& shape) {
  return shape.rate.bytes_per_second() * testbed::payload_fraction(shape.mtu, shape.framing);
}

/// Runs what the session was assigned once, when what was carried before has no effect any more.
std::vector<record::RankIteration> run_after_pause(const MeasuredLinks& links,
                                                   const workers::Session::Assigned& assigned,
                                                   std::size_t iteration, Nanoseconds expected) {
  wait_for_bursts(links.shape);
  return links.session.iterate(assigned, {.iteration = iteration}, expected);
}

/// A job that only carries flows, each of so many elements.
workers::Job job_of(const MeasuredLinks& links, const std::vector<Flow>& flows,
                    std::size_t elements) {
  return {.task = {.wiring = links.wiring,
                   .workload = workloads::Workload(workloads::Elements{elements})},
          .flows = flows,
          .timeout = links.timeout};
}

/// Carries the flows twice, the first time to warm the connections up, and returns the rate of each.
/// The burst, which passes at once, is not counted as carried. A flow's time begins when both of its
/// hosts have started; but a receiver that starts late finds much on its way already, and makes a
/// slow link look right. A host's time is over when all of its flows are carried, so the rate of a
/// flow whose hosts have others is that of the slowest.
std::vector<double> measure(const MeasuredLinks& links, const std::vector<Flow>& flows,
                            Seconds duration) {
  const LinkShape& shape = links.shape;
  const double bytes = shape.rate.is_limited() ? payload_rate(shape) * duration.count() +
                                                     static_cast<double>(shape.burst)
                                               : kUnlimitedBytes;
  const auto elements = static_cast<std::size_t>(bytes / sizeof(float));
  const workers::Session::Assigned assigned = links.session.assign(job_of(links, flows, elements));
  std::vector<Nanoseconds> shortest(flows.size(), Nanoseconds::max());
  const auto expected = std::chrono::duration_cast<Nanoseconds>(duration);
  const auto latest = std::chrono::duration_cast<Nanoseconds>(kLatestStart * duration);
  for (std::size_t iteration = 0; iteration < 2; ++iteration) {
    const std::vector<record::RankIteration> ranks =
        run_after_pause(links, assigned, iteration, expected);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const record::RankIteration& from = ranks[flows[i].from.index()];
      const record::RankIteration& to = ranks[flows[i].to.index()];
      const Nanoseconds start = std::clamp(to.start, from.start, from.start + latest);
      shortest[i] = std::min(shortest[i], std::max(from.end, to.end) - start);
    }
  }
  links.session.finish(assigned);
  std::vector<double> rates;
  for (const Nanoseconds time : shortest) {
    rates.push_back((bytes - static_cast<double>(shape.burst)) / Seconds(time).count());
  }
  return rates;
}

/// Time that messages of so many elements take when all flows carry one at once after a pause: wall
/// time from the last rank's start to the last rank's end, median of several.
Seconds measure_message(const MeasuredLinks& links, const std::vector<Flow>& flows,
                        std::size_t elements) {
  constexpr std::size_t kRuns = 15;
  const workers::Session::Assigned assigned = links.session.assign(job_of(links, flows, elements));
  std::vector<double> times;
  for (std::size_t i = 0; i < kRuns; ++i) {
    Nanoseconds ready = Nanoseconds::min();
    Nanoseconds done = Nanoseconds::min();
    for (const record::RankIteration& rank : run_after_pause(links, assigned, i, Nanoseconds(0))) {
      ready = std::max(ready, rank.start);
      done = std::max(done, rank.end);
    }
    times.push_back(std::max(0.0, Seconds(done - ready).count()));
  }
  links.session.finish(assigned);
  return Seconds(record::summarize(times).median);
}

/// Rate at which a burst passes when all links carry one: as fast as the machine is, in payload
/// bytes per second of a link.
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

/// At least so long, and longer on a link so slow that its burst or the start is much of it.
Seconds long_enough(const LinkShape& shape, Seconds least) {
  const double bytes = std::max(kFewestBursts * static_cast<double>(shape.burst), kFewestBytes);
  return std::max(least, Seconds(bytes / shape.rate.bytes_per_second()));
}

/// Measures the ports of a link that is off with other hosts, each until it is not off.
void locate(const MeasuredLinks& links, Seconds duration, const std::function<bool(double)>& is_off,
            OffLink& link) {
  const auto best = [&](const std::optional<Flow>& flow) -> std::optional<double> {
    if (!flow) return std::nullopt;
    double fastest = 0;
    for (std::size_t i = 0; i < Patience::kAttempts && (i == 0 || is_off(fastest)); ++i) {
      fastest = std::max(fastest, measure(links, {*flow}, duration).front());
    }
    return fastest;
  };
  link.sends = best(same_sender(*links.wiring, link.flow));
  link.receives = best(same_receiver(*links.wiring, link.flow));
}

/// Measures every link, many that share nothing at a time.
std::vector<OffLink> measure_in_groups(const MeasuredLinks& links, const std::vector<Flow>& all,
                                       Seconds duration) {
  std::vector<OffLink> measured(all.size());
  for (const std::vector<std::size_t>& group : testbed::apart(all, kMostAtOnce)) {
    std::vector<Flow> flows;
    for (const std::size_t i : group) flows.push_back(all[i]);
    const std::vector<double> rates = measure(links, flows, duration);
    for (std::size_t i = 0; i < group.size(); ++i) {
      measured[group[i]] = {.flow = flows[i], .rates = {rates[i]}};
    }
  }
  return measured;
}

/// Measures each link, and those that are off again, alone. Notes the rate that is closest to what
/// it should be, how often one was measured again, and which stay off.
void measure_alone(const MeasuredLinks& links, Seconds least, Calibration& calibration) {
  const LinkShape& shape = links.shape;
  const double expected = calibration.expected;
  const Seconds duration = long_enough(shape, least);
  const bool shaped = shape.burst > 0;
  const auto is_off = [&](double rate) {  // a link of real hosts is not wrong when it is faster
    return (shaped || rate < expected) && off_rate(rate, expected) > kLinkTolerance;
  };
  const auto stays_off = [&](const OffLink& link) { return is_off(link.rates.back()); };
  std::vector<OffLink> measured = measure_in_groups(links, calibration.flows, duration);
  Patience patience;
  while (std::ranges::any_of(measured, stays_off) && patience.wait()) {
    for (OffLink& link : measured) {
      if (!stays_off(link)) continue;
      link.rates.push_back(measure(links, {link.flow}, duration).front());
      ++calibration.repeated;
    }
  }
  for (OffLink& link : measured) {
    calibration.alone.push_back(closest_rate(link, expected));
    if (shaped && is_off(calibration.alone.back())) calibration.off.push_back(std::move(link));
  }
  if (calibration.off.size() > kMostLocated) return;
  for (OffLink& link : calibration.off) locate(links, duration, is_off, link);
}

/// All links at once. While the machine is the limit, it may be so for a moment only; but beside a
/// link that is slow alone, the others wait for it.
void measure_all_at_once(const MeasuredLinks& links, Seconds least, Calibration& calibration) {
  const Seconds duration = long_enough(links.shape, least);
  calibration.together = measure_together(links, duration);
  if (std::ranges::min(calibration.alone) < calibration.least()) return;
  Patience patience;
  while (calibration.machine_bound() && patience.wait()) {
    calibration.together = std::max(calibration.together, measure_together(links, duration));
  }
}

}  // namespace

void wait_for_bursts(const LinkShape& shape) {
  pause_for(testbed::refill_time(shape));
}

double measure_together(const MeasuredLinks& links, Seconds duration) {
  return std::ranges::min(measure(links, testbed::calibration_flows(*links.wiring), duration));
}

Calibration calibrate(const MeasuredLinks& links, const CalibrationTimes& times) {
  const LinkShape& shape = links.shape;
  Calibration calibration{.expected = payload_rate(shape),
                          .flows = testbed::calibration_flows(*links.wiring)};
  measure_alone(links, times.alone, calibration);
  calibration.startup = measure_message(links, calibration.flows, kFewElements);
  calibration.burst_rate = std::numeric_limits<double>::infinity();
  if (shape.rate.is_limited() && shape.burst > 0) {
    calibration.burst_rate = measure_burst(links, calibration.flows, calibration.startup);
  }
  measure_all_at_once(links, times.together, calibration);
  return calibration;
}

void require_rates(const topologies::Topology& topology, const Calibration& calibration) {
  if (calibration.off.empty()) return;
  const double expected = calibration.expected;
  std::vector<std::string> slow;
  if (2 * calibration.off.size() <= calibration.flows.size()) {  // else it is no single link
    for (const OffLink& link : calibration.off) {
      const Blame whom = blame(link, expected);
      if (whom != Blame::machine) slow.push_back(describe(link, expected, whom));
    }
  }
  if (slow.empty()) slow = {describe(calibration.off.front(), expected, Blame::machine)};
  throw workers::Preflight(fmt::format("{}: {}", topology.name(), fmt::join(slow, "; ")));
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
