#include "harness/report/schedule_report.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "harness/campaign.h"
#include "harness/policies.h"
#include "harness/report/columns.h"
#include "schedule/optimum.h"
#include "topologies/registry.h"

namespace gradwire::harness {
namespace {

constexpr std::string_view kDefinitions =
    "# Predicted, nothing was sent. iter: one iteration; exposed: iter - compute; comm: all "
    "buckets'\n"
    "# times together; over_opt: how much longer than the optimal schedule's iteration.\n"
    "#\n";

LinkFacts link_of(const Experiment& experiment) {
  return {.rate = experiment.rate,
          .mtu = experiment.mtu,
          .startup = experiment.startup,
          .framing = framing_of(experiment.transport.kind)};
}

PlannedPoint plan_point(const Experiment& experiment, const Point& point) {
  PlannedPoint planned{.point = &point, .profile = profile_of(experiment, point).value()};
  if (!experiment.rate.is_limited()) {
    throw InputError(experiment.link_place, "link.rate: unlimited: a plan goes by the rate");
  }
  const auto topology = topologies::make_topology(point.wiring);
  const AssumedCost& cost = experiment.cost;
  const SourcePlace& place = cost.row.empty() ? point.algorithm_place : cost.place;
  planned.cost = at(place, [&] {
    return assumed_cost(cost, point.algorithm_spec, *topology, link_of(experiment));
  });
  const auto pass = schedule::backward_pass(planned.profile);
  planned.schedule =
      make_schedule(point.schedule_spec, pass, {.cost = planned.cost, .line = planned.cost});
  planned.timeline = schedule::predict(pass, planned.schedule, planned.cost);
  const auto best = schedule::optimum_affine(pass, planned.cost);
  planned.optimum = schedule::predict(pass, best, planned.cost).iteration;
  return planned;
}

/// The planned point that `point` is compared with: alike but for the schedule, which is
/// `schedule`.
const PlannedPoint* counterpart(const PlannedPoint& point, const std::string& schedule,
                                std::span<const PlannedPoint> points) {
  const auto found = std::ranges::find_if(points, [&](const PlannedPoint& other) {
    const Point& a = *point.point;
    const Point& b = *other.point;
    return b.schedule == schedule && a.wiring == b.wiring && a.algorithm == b.algorithm &&
           a.workload == b.workload && a.batch == b.batch;
  });
  return found == points.end() ? nullptr : &*found;
}

/// How many times as long as its counterpart; only where the experiment compares schedules.
std::string times_as_long(const Experiment& experiment, const PlannedPoint& point,
                          std::span<const PlannedPoint> points) {
  const auto& comparison = experiment.comparison;
  if (!comparison || comparison->by != Comparison::By::schedule) return "-";
  const PlannedPoint* const other = counterpart(point, comparison->of, points);
  if (other == nullptr) return "-";
  return fmt::format("{:.3f}", point.timeline.iteration / other->timeline.iteration);
}

std::vector<std::string> cells(const Experiment& experiment, const PlannedPoint& point,
                               std::span<const PlannedPoint> points) {
  const Point& p = *point.point;
  const schedule::Timeline& t = point.timeline;
  return {p.wiring,
          fmt::to_string(p.hosts),
          p.algorithm,
          point.profile.model.empty() ? "-" : point.profile.model,
          p.batch == 0 ? "-" : fmt::to_string(p.batch),
          p.schedule,
          fmt::to_string(t.buckets.size()),
          microseconds(t.compute),
          microseconds(t.communication()),
          microseconds(t.iteration),
          microseconds(t.exposed()),
          fmt::format("{:.1f}", 100 * (t.exposed() / t.iteration)),
          fmt::format("{:.1f}", 100 * (t.iteration / point.optimum - 1)),
          times_as_long(experiment, point, points),
          microseconds(point.cost.a),
          fmt::format("{:.4f}", point.cost.b * 1e9)};
}

std::string network_line(const Experiment& experiment) {
  const AssumedCost& cost = experiment.cost;
  const schedule::Network network = network_of(cost, link_of(experiment));
  return fmt::format(
      "# cost: {} with alpha {} us, beta {:.4f} ns/B, gamma {:.4f} ns/B; links of {}, MTU {}\n",
      cost.row.empty() ? "the algorithm's formula" : cost.row, microseconds(network.alpha),
      network.beta * 1e9, network.gamma * 1e9, to_string(experiment.rate), experiment.mtu);
}

/// The layers of a bucket, by the names of its first and last in backward order.
std::string layers_of(const workloads::Profile& profile, const schedule::Bucket& bucket) {
  const auto name = [&](std::size_t backward) {
    return profile.layers[profile.layers.size() - 1 - backward].name;
  };
  if (bucket.count == 1) return name(bucket.first);
  return name(bucket.first) + " .. " + name(bucket.end() - 1);
}

}  // namespace

std::vector<PlannedPoint> plan_points(const Experiment& experiment) {
  if (!experiment.compute) {
    throw InputError({.file = experiment.file}, "without the key compute there is no training job");
  }
  std::vector<PlannedPoint> points;
  for (const Point& point : experiment.points) points.push_back(plan_point(experiment, point));
  return points;
}

std::string format_planned(const Experiment& experiment, std::span<const PlannedPoint> points) {
  constexpr auto kHeadings = std::to_array<Heading>({{"wiring", "", true},
                                                     {"N"},
                                                     {"algo", "", true},
                                                     {"workload", "", true},
                                                     {"batch"},
                                                     {"sched", "", true},
                                                     {"msgs"},
                                                     {"compute", "(us)"},
                                                     {"comm", "(us)"},
                                                     {"iter", "(us)"},
                                                     {"exposed", "(us)"},
                                                     {"exposed%"},
                                                     {"over_opt%"},
                                                     {"x"},
                                                     {"a", "(us)"},
                                                     {"b", "(ns/B)"}});
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> sources;
  for (const PlannedPoint& point : points) {
    lines.push_back(cells(experiment, point, points));
    const std::string source = workloads::provenance(point.profile);
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  std::string text = fmt::format("# {}\n", experiment.name) + std::string(kDefinitions);
  text += format_columns(kHeadings, lines);
  if (experiment.comparison && experiment.comparison->by == Comparison::By::schedule) {
    text += fmt::format("# x: times as long as {}\n", experiment.comparison->of);
  }
  text += network_line(experiment);
  for (const std::string& source : sources) text += "# computing times " + source + "\n";
  return text;
}

std::string format_buckets(const PlannedPoint& point) {
  constexpr auto kHeadings = std::to_array<Heading>({{"bucket"},
                                                     {"layers"},
                                                     {"size", "(B)"},
                                                     {"ready", "(us)"},
                                                     {"start", "(us)"},
                                                     {"end", "(us)"},
                                                     {"in backward order", "", true}});
  std::vector<std::vector<std::string>> lines;
  for (std::size_t i = 0; i < point.schedule.buckets.size(); ++i) {
    const schedule::Bucket& bucket = point.schedule.buckets[i];
    const schedule::BucketTimes& times = point.timeline.buckets[i];
    lines.push_back({fmt::to_string(i), fmt::to_string(bucket.count),
                     fmt::format("{:.0f}", times.bytes), microseconds(times.ready),
                     microseconds(times.start), microseconds(times.end),
                     layers_of(point.profile, bucket)});
  }
  return fmt::format("#\n# {} on {}: backward pass from {} to {} us\n", point.point->schedule,
                     point.point->wiring, microseconds(point.profile.forward()),
                     microseconds(point.timeline.compute)) +
         format_columns(kHeadings, lines);
}

}  // namespace gradwire::harness
