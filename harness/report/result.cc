#include "harness/report/result.h"

#include <algorithm>
#include <chrono>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/report/flags.h"

namespace gradwire::harness {
namespace {

using nlohmann::json;

void add_once(std::vector<std::string>& flags, std::string_view flag) {
  if (std::ranges::find(flags, flag) == flags.end()) flags.emplace_back(flag);
}

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json(nullptr);
}

json microseconds_or_null(const std::optional<Seconds>& time) {
  return time ? json(time->count() * 1e6) : json(nullptr);
}

json to_json(const Configuration& configuration) {
  return {{"point", configuration.point},
          {"backing", configuration.backing},
          {"wiring", configuration.wiring},
          {"algorithm", configuration.algorithm},
          {"workload", configuration.workload},
          {"batch", configuration.batch > 0 ? json(configuration.batch) : json(nullptr)},
          {"schedule", configuration.schedule},
          {"N", configuration.ranks},
          {"k", configuration.ports_per_host},
          {"bytes", configuration.bytes()},
          {"elements", configuration.elements},
          {"type", configuration.type}};
}

double in_microseconds(Seconds time) {
  return time.count() * 1e6;
}

json to_json(const TrainingSample& training) {
  json buckets = json::array();
  for (const BucketSample& bucket : training.buckets) {
    buckets.push_back({{"elements", bucket.elements},
                       {"ready_ns", bucket.ready.count()},
                       {"start_ns", bucket.start.count()},
                       {"end_ns", bucket.end.count()}});
  }
  return {{"compute_ns", training.compute.count()}, {"buckets", std::move(buckets)}};
}

json to_json(const WiringCost& wiring) {
  const topologies::Cost& cost = wiring.cost;
  return {{"cut_us", in_microseconds(wiring.cut)},
          {"cut", wiring.cut_name},
          {"switches", cost.switches},
          {"switch_ports", cost.switch_ports},
          {"nics", cost.nics},
          {"cables", cost.cables},
          {"price", or_null(wiring.price)}};
}

json to_json(const Summary& seconds) {
  json result = {{"n", seconds.n},
                 {"median", seconds.median * 1e6},
                 {"p95", seconds.p95 * 1e6},
                 {"p99", seconds.p99 * 1e6},
                 {"mean", seconds.mean * 1e6},
                 {"stdev", seconds.stdev * 1e6},
                 {"cv_percent", seconds.cv_percent},
                 {"min", seconds.min * 1e6},
                 {"max", seconds.max * 1e6},
                 {"median_interval", nullptr}};
  if (const auto& interval = seconds.median_interval) {
    result["median_interval"] = {{"low", interval->low * 1e6},
                                 {"high", interval->high * 1e6},
                                 {"confidence", interval->confidence}};
  }
  return result;
}

json to_json(const TrainingRow& training) {
  json buckets = json::array();
  for (std::size_t i = 0; i < training.bucket_gst.size(); ++i) {
    json bucket = {{"gst_us", in_microseconds(training.bucket_gst[i])}};
    if (i < training.predicted.buckets.size()) {
      const schedule::BucketTimes& times = training.predicted.buckets[i];
      bucket["bytes"] = times.bytes;
      bucket["predicted"] = {{"ready_us", in_microseconds(times.ready)},
                             {"start_us", in_microseconds(times.start)},
                             {"end_us", in_microseconds(times.end)}};
    }
    buckets.push_back(std::move(bucket));
  }
  return {{"profile", training.profile},
          {"iteration_us", to_json(training.iteration)},
          {"compute_us", in_microseconds(training.compute)},
          {"exposed_us", in_microseconds(training.exposed)},
          {"exposed_percent", training.exposed_percent()},
          {"jct_us", in_microseconds(training.jct)},
          {"predicted_iteration_us", in_microseconds(training.predicted.iteration)},
          {"prediction_error_percent", or_null(training.prediction_error_percent())},
          {"cost", to_json(training.cost)},
          {"buckets", std::move(buckets)}};
}

template <class Value>
Seconds median_of(std::span<const Sample> samples, const Value& value) {
  std::vector<double> values;
  for (const Sample& sample : samples) {
    if (!sample.warmup) values.push_back(value(sample).count());
  }
  return Seconds(summarize(values).median);
}

/// What the measured samples of a training job say; the plan of the job is added by whoever knows.
TrainingRow make_training_row(std::span<const Sample> samples) {
  TrainingRow row;
  std::vector<double> iterations;
  for (const Sample& sample : samples) {
    if (sample.warmup) continue;
    iterations.push_back(sample.duration().count());
    row.jct += sample.duration();
  }
  row.iteration = summarize(iterations);
  row.exposed = median_of(samples, [](const Sample& s) { return s.exposed(); });
  row.compute = median_of(samples, [](const Sample& s) { return s.duration() - s.exposed(); });
  for (std::size_t i = 0; i < samples.front().training->buckets.size(); ++i) {
    row.bucket_gst.push_back(median_of(samples, [i](const Sample& sample) {
      const BucketSample& bucket = sample.training->buckets.at(i);
      return Seconds(bucket.end - bucket.start) / sample.dilation;
    }));
  }
  return row;
}

}  // namespace

Nanoseconds Sample::wall() const {
  ensure(!ranks.empty(), "a sample has the times of its ranks");
  return std::ranges::max(ranks, {}, &RankTimes::end).end -
         std::ranges::max(ranks, {}, &RankTimes::start).start;
}

Seconds Sample::duration() const {
  return std::chrono::duration_cast<Seconds>(wall()) / dilation;
}

Seconds Sample::gst() const {
  if (!training) return duration();
  Nanoseconds sum{};
  for (const BucketSample& bucket : training->buckets) sum += bucket.end - bucket.start;
  return std::chrono::duration_cast<Seconds>(sum) / dilation;
}

Seconds Sample::exposed() const {
  ensure(training.has_value(), "only a training job exposes communication");
  return std::chrono::duration_cast<Seconds>(wall() - training->compute) / dilation;
}

double TrainingRow::exposed_percent() const {
  return 100 * exposed.count() / iteration.median;
}

std::optional<double> TrainingRow::prediction_error_percent() const {
  if (predicted.buckets.empty()) return std::nullopt;
  return 100 * (predicted.iteration.count() / iteration.median - 1);
}

Rates rates(const Configuration& configuration, Seconds gst, std::optional<Seconds> bound) {
  ensure(gst.count() > 0, "a synchronization takes time");
  ensure(configuration.ranks > 0 && configuration.ports_per_host > 0, "a wiring has hosts");
  const auto ranks = static_cast<double>(configuration.ranks);
  Rates rates;
  rates.algbw = static_cast<double>(configuration.bytes()) / gst.count();
  rates.busbw = rates.algbw * 2 * (ranks - 1) / ranks;
  rates.nicbw = rates.busbw / static_cast<double>(configuration.ports_per_host);
  if (bound) rates.efficiency = *bound / gst;
  return rates;
}

Row make_row(std::span<const Sample> samples, std::optional<Seconds> bound) {
  ensure(!samples.empty(), "a row is of at least one sample");
  const Sample& first = samples.front();
  Row row{.configuration = first.configuration, .dilation = first.dilation, .bound = bound};
  std::vector<double> measured;
  for (const Sample& sample : samples) {
    ensure(sample.configuration == row.configuration && sample.dilation == row.dilation,
           "the samples of a row are of one configuration");
    if (sample.wrong) row.wrong = row.wrong.value_or(0) + *sample.wrong;
    if (sample.warmup) continue;
    measured.push_back(sample.gst().count());
    for (const std::string& flag : sample.flags) add_once(row.flags, flag);
  }
  row.gst = summarize(measured);
  if (first.training) row.training = make_training_row(samples);
  return row;
}

std::vector<std::string> row_flags(const Row& row) {
  std::vector<std::string> flags;
  for (const std::string& flag : row.flags) add_once(flags, flag);
  if (row.rates().efficiency.value_or(0) > 1 + kBoundSlack) add_once(flags, kFlagFasterThanBound);
  if (row.gst.cv_percent > kHighVariancePercent) add_once(flags, kFlagHighVariance);
  // A simulation would give the same again, and moves no data that could be wrong.
  if (row.configuration.backing != kSimulated) {
    if (row.gst.n < kFewSamples) add_once(flags, kFlagFewSamples);
    if (!row.wrong) add_once(flags, kFlagNotVerified);
  }
  if (row.wrong.value_or(0) != 0) add_once(flags, kFlagWrongData);
  return flags;
}

json to_json(const Sample& sample) {
  json result = to_json(sample.configuration);
  result["iteration"] = sample.iteration;
  result["warmup"] = sample.warmup;
  result["gst_ns"] = sample.gst().count() * 1e9;
  result["wall_ns"] = sample.wall().count();
  result["dilation"] = sample.dilation;
  json& ranks = result["ranks"] = json::array();
  for (const RankTimes& times : sample.ranks) {
    ranks.push_back({{"start_ns", times.start.count()}, {"end_ns", times.end.count()}});
  }
  if (sample.training) result["training"] = to_json(*sample.training);
  result["wrong"] = or_null(sample.wrong);
  result["flags"] = sample.flags;
  return result;
}

json to_json(const Row& row) {
  const Rates rates = row.rates();
  json result = to_json(row.configuration);
  result["dilation"] = row.dilation;
  result["gst_us"] = to_json(row.gst);
  result["bound_us"] = microseconds_or_null(row.bound);
  result["wiring_cost"] = row.wiring ? to_json(*row.wiring) : json(nullptr);
  result["algbw_gbs"] = rates.algbw / 1e9;
  result["busbw_gbs"] = rates.busbw / 1e9;
  result["nicbw_gbs"] = rates.nicbw / 1e9;
  result["efficiency"] = or_null(rates.efficiency);
  result["training"] = row.training ? to_json(*row.training) : json(nullptr);
  result["wrong"] = or_null(row.wrong);
  result["flags"] = row_flags(row);
  return result;
}

}  // namespace gradwire::harness
