#include "harness/run/imported/import_training.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "harness/run/head_start.h"
#include "harness/run/job_record.h"
#include "harness/run/measuring/expectations.h"
#include "harness/run/point_record_maker.h"
#include "results/record/computed_profile.h"
#include "testbed/shape.h"
#include "topologies/topology.h"

namespace gradwire::run {
namespace {

bool is_of(const PreparedPoint& point, const TrainingLog& log) {
  const record::Configuration& c = point.configuration;
  return c.wiring == log.wiring && c.algorithm == log.algorithm && c.schedule == log.schedule;
}

std::string title_of(const TrainingLog& log) {
  return fmt::format("{} on {}, schedule {}", log.algorithm, log.wiring, log.schedule);
}

InputError error_of(const TrainingLog& log, const std::string& why) {
  return {SourcePlace{.file = log.folder.string()}, why};
}

/// The profile's layers, in backward order, of each bucket.
std::vector<schedule::Bucket> buckets_of(const workloads::Profile& profile,
                                         const TrainingLog& log) {
  std::vector<schedule::Bucket> buckets;
  std::size_t next = 0;
  for (const std::uint64_t elements : log.buckets) {
    schedule::Bucket bucket{.first = next, .count = 0};
    std::uint64_t sum = 0;
    for (; sum < elements && next < profile.layers.size(); ++next, ++bucket.count) {
      sum += profile.layers[profile.layers.size() - 1 - next].elements();
    }
    if (sum != elements) {
      throw error_of(log, fmt::format("bucket {} has {} elements, which are not those of layers of "
                                      "the trace, one after the other in backward order",
                                      buckets.size(), elements));
    }
    buckets.push_back(bucket);
  }
  if (next == profile.layers.size()) return buckets;
  throw error_of(log, fmt::format("no bucket has '{}' of the trace",
                                  profile.layers[profile.layers.size() - 1 - next].name));
}

Seconds median(std::vector<Nanoseconds> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

/// Times of buckets of each size, from the last rank's start to the last rank's end: at least a
/// nanosecond, also where a program sums several at once and one is there with the one before it.
std::vector<schedule::TimedSize> costs_of(const TrainingLog& log) {
  std::map<std::uint64_t, std::vector<Nanoseconds>> times;
  for (const LoggedIteration& iteration : log.iterations) {
    for (std::size_t i = 0; i < log.buckets.size(); ++i) {
      Nanoseconds start = Nanoseconds::min();
      Nanoseconds end = Nanoseconds::min();
      for (const record::RankIteration& rank : iteration.ranks) {
        start = std::max(start, rank.training->buckets[i].start);
        end = std::max(end, rank.training->buckets[i].end);
      }
      times[log.buckets[i]].push_back(end - start);
    }
  }
  std::vector<schedule::TimedSize> costs;
  for (auto& [elements, each] : times) {
    costs.push_back({.bytes = static_cast<double>(elements * sizeof(float)),
                     .time = std::max<Seconds>(median(std::move(each)), Nanoseconds(1))});
  }
  return costs;
}

/// Limits of links as `gradwire emulate` makes them.
topologies::LinkLimits limits_of(const experiment::Experiment& experiment) {
  const testbed::LinkShape shape = testbed::shape_for(experiment.rate, experiment.mtu);
  return {.payload = experiment::payload_rate(experiment),
          .burst = static_cast<double>(shape.burst) * testbed::payload_fraction(shape.mtu)};
}

/// Wrong elements of all ranks' sums that were verified; nothing where none of an iteration were.
std::optional<std::int64_t> wrong_of(const LoggedIteration& iteration) {
  std::optional<std::int64_t> wrong;
  for (const record::RankIteration& rank : iteration.ranks) {
    if (rank.wrong) wrong = wrong.value_or(0) + *rank.wrong;
  }
  return wrong;
}

record::Sample sample_of(const PreparedPoint& point, const JobRecord& job,
                         const LoggedIteration& iteration, std::size_t number) {
  record::Sample sample{
      .key = point.key, .configuration = point.configuration, .iteration = number};
  Nanoseconds origin = Nanoseconds::max();
  for (const record::RankIteration& rank : iteration.ranks) origin = std::min(origin, rank.start);
  for (const record::RankIteration& rank : iteration.ranks) {
    sample.ranks.push_back({.start = rank.start - origin, .end = rank.end - origin});
  }
  sample.wrong = wrong_of(iteration);
  sample.head_start = head_start(iteration.ranks, job.bounds, 1);
  sample.training = training_sample(job, iteration.ranks);
  const std::vector<double>& losses = iteration.losses;
  sample.training->loss =
      std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size());
  sample.flags = training_flags(*point.training, *sample.training, 1, iteration.ranks);
  return sample;
}

}  // namespace

std::vector<PreparedPoint> points_of_logs(std::vector<PreparedPoint> prepared,
                                          std::span<const TrainingLog> logs) {
  std::vector<PreparedPoint> points;
  for (const TrainingLog& log : logs) {
    const auto found = std::ranges::find_if(
        prepared, [&](const PreparedPoint& point) { return is_of(point, log); });
    if (found == prepared.end()) {
      throw error_of(log, fmt::format("no point of the experiment is {}, or a log before this one "
                                      "is of the same",
                                      title_of(log)));
    }
    if (!found->training) {
      throw error_of(log, "the experiment computes nothing; give it compute: {trace: ...}");
    }
    const std::size_t ranks = log.iterations.front().ranks.size();
    if (ranks != found->configuration.ranks) {
      throw error_of(log, fmt::format("{} ranks, but {} has {}", ranks, log.wiring,
                                      found->configuration.ranks));
    }
    found->key += "-computed";
    points.push_back(std::move(*found));
    prepared.erase(found);
  }
  return points;
}

void import_training(const experiment::Experiment& experiment, const PreparedPoint& point,
                     const TrainingLog& log, record::RunFolder& folder) {
  const workers::JobPlan plan{.cost = costs_of(log),
                              .buckets = buckets_of(point.training->profile, log)};
  const topologies::LinkLimits limits = limits_of(experiment);
  const JobRecord job = record_job(point, plan, limits);
  const Expectations expected{.bounds = bounds_of(point, job, limits), .limits = limits};
  record::TrainingPlan training = plan_of(job, *point.training);
  training.profile = record::computed_profile(log.computing, training.profile);
  record::PointRecord record =
      PointRecordMaker(experiment, folder.attempt()).of(point, 1, expected, std::move(training));
  record.warmup = 0;
  record.iterations = log.iterations.size();
  folder.begin(record);
  for (std::size_t i = 0; i < log.iterations.size(); ++i) {
    folder.append(sample_of(point, job, log.iterations[i], i));
  }
}

}  // namespace gradwire::run
