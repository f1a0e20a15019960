#include "harness/commands/schedule_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/text/table.h"
#include "harness/run/prepare.h"
#include "schedule/optimum.h"
#include "schedule/policies.h"
#include "topologies/topology.h"

namespace gradwire::commands {
namespace {

constexpr std::string_view kDefinitions =
    "# Predicted, nothing was sent. iter: one iteration; exposed: iter - compute; comm: all "
    "buckets'\n"
    "# times together; over_opt: how much longer than the optimal schedule's iteration.\n";

std::string algorithm_name(const experiment::Point& point) {
  return point.task.algorithm ? point.task.algorithm.name() : "";
}

/// The point that `point` is compared with: equal but for its schedule, which is `schedule`.
const run::PointSchedule* counterpart(const run::PointSchedule& point, const std::string& schedule,
                                      std::span<const run::PointSchedule> points) {
  const auto found = std::ranges::find_if(points, [&](const run::PointSchedule& other) {
    const experiment::Point& a = *point.point;
    const experiment::Point& b = *other.point;
    return to_string(b.task.schedule) == schedule &&
           a.task.wiring->name() == b.task.wiring->name() &&
           algorithm_name(a) == algorithm_name(b) &&
           a.task.workload.name() == b.task.workload.name() && a.task.batch == b.task.batch;
  });
  return found == points.end() ? nullptr : &*found;
}

/// The ratio of a point's time to its counterpart's; only where the experiment compares schedules.
std::string times_as_long(const experiment::Experiment& experiment, const run::PointSchedule& point,
                          std::span<const run::PointSchedule> points) {
  const auto& comparison = experiment.gains;
  if (!comparison || comparison->by != record::GainQuery::By::schedule) return "-";
  const run::PointSchedule* const other = counterpart(point, comparison->of, points);
  if (other == nullptr) return "-";
  return fmt::format("{:.3f}", point.timeline.iteration / other->timeline.iteration);
}

std::vector<std::string> cells(const experiment::Experiment& experiment,
                               const run::PointSchedule& point,
                               std::span<const run::PointSchedule> points) {
  const experiment::Point& p = *point.point;
  const schedule::Timeline& t = point.timeline;
  return {p.task.wiring->name(),
          fmt::to_string(p.task.wiring->hosts()),
          p.task.algorithm ? p.task.algorithm.name() : experiment.cost.row,
          point.profile.model.empty() ? "-" : point.profile.model,
          p.task.batch == 0 ? "-" : fmt::to_string(p.task.batch),
          to_string(p.task.schedule),
          fmt::to_string(t.buckets.size()),
          text::microseconds(t.compute),
          text::microseconds(t.communication()),
          text::microseconds(t.iteration),
          text::microseconds(t.exposed()),
          fmt::format("{:.1f}", 100 * (t.exposed() / t.iteration)),
          fmt::format("{:.1f}", 100 * (t.iteration / point.optimum - 1)),
          times_as_long(experiment, point, points),
          text::microseconds(point.cost.a),
          fmt::format("{:.4f}", point.cost.b * 1e9)};
}

std::string network_line(const experiment::Experiment& experiment) {
  const experiment::AssumedCost& cost = experiment.cost;
  const schedule::Network network =
      experiment::network_of(cost, experiment::link_facts(experiment));
  return fmt::format(
      "# cost: {} with alpha {} us, beta {:.4f} ns/B, gamma {:.4f} ns/B; links of {}, MTU {}\n",
      cost.row.empty() ? "the algorithm's formula" : cost.row, text::microseconds(network.alpha),
      network.beta * 1e9, network.gamma * 1e9, to_string(experiment.rate), experiment.mtu);
}

/// The layers of a bucket, as the names of its first and last in backward order.
std::string layers_of(const workloads::Profile& profile, const schedule::Bucket& bucket) {
  const auto name = [&](std::size_t backward) {
    return profile.layers[profile.layers.size() - 1 - backward].name;
  };
  if (bucket.count == 1) return name(bucket.first);
  return name(bucket.first) + " .. " + name(bucket.end() - 1);
}

}  // namespace

std::string format_planned(const experiment::Experiment& experiment,
                           std::span<const run::PointSchedule> points) {
  constexpr auto kHeadings =
      std::to_array<text::Heading>({{.name = "wiring", .left = true, .once = true},
                                    {.name = "N", .once = true},
                                    {.name = "algo", .left = true, .once = true},
                                    {.name = "workload", .left = true, .once = true},
                                    {.name = "batch", .once = true},
                                    {"sched", "", true},
                                    {"msgs"},
                                    {"compute", "(us)"},
                                    {"comm", "(us)"},
                                    {"iter", "(us)"},
                                    {"exposed", "(us)"},
                                    {"exposed%"},
                                    {"over_opt%"},
                                    {.name = "x", .once = true},
                                    {"a", "(us)"},
                                    {"b", "(ns/B)"}});
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> sources;
  for (const run::PointSchedule& point : points) {
    lines.push_back(cells(experiment, point, points));
    const std::string source = workloads::provenance(point.profile);
    if (std::ranges::find(sources, source) == sources.end()) sources.push_back(source);
  }
  std::string text = fmt::format("# {}\n", experiment.name) + std::string(kDefinitions);
  text += text::format_brief(kHeadings, lines);
  if (experiment.gains && experiment.gains->by == record::GainQuery::By::schedule) {
    text += fmt::format("# x: times as long as {}\n", experiment.gains->of);
  }
  text += network_line(experiment);
  for (const std::string& source : sources) text += "# computing times " + source + "\n";
  return text;
}

std::string format_buckets(const run::PointSchedule& point) {
  constexpr auto kHeadings = std::to_array<text::Heading>({{"bucket"},
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
                     fmt::format("{:.0f}", times.bytes), text::microseconds(times.ready),
                     text::microseconds(times.start), text::microseconds(times.end),
                     layers_of(point.profile, bucket)});
  }
  return fmt::format("#\n# {} on {}: backward pass from {} to {} us\n",
                     to_string(point.point->task.schedule), point.point->task.wiring->name(),
                     text::microseconds(point.profile.forward()),
                     text::microseconds(point.timeline.compute)) +
         text::format_columns(kHeadings, lines);
}

}  // namespace gradwire::commands
