#include "results/record/row_json.h"

#include <nlohmann/json.hpp>

namespace gradwire::record {
namespace {

using nlohmann::json;

template <class Value>
json or_null(const std::optional<Value>& value) {
  return value ? json(*value) : json(nullptr);
}

double in_microseconds(Seconds time) {
  return time.count() * 1e6;
}

Seconds from_microseconds(const json& number) {
  return Seconds(number.get<double>() / 1e6);
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

json to_json(const schedule::BucketTimes& bucket) {
  return {{"bytes", bucket.bytes},
          {"ready_us", in_microseconds(bucket.ready)},
          {"start_us", in_microseconds(bucket.start)},
          {"end_us", in_microseconds(bucket.end)}};
}

json to_json(const schedule::Timeline& timeline) {
  json buckets = json::array();
  for (const schedule::BucketTimes& bucket : timeline.buckets) buckets.push_back(to_json(bucket));
  return {{"compute_us", in_microseconds(timeline.compute)},
          {"iteration_us", in_microseconds(timeline.iteration)},
          {"buckets", std::move(buckets)}};
}

schedule::Timeline timeline_from_json(const json& value) {
  schedule::Timeline timeline{.compute = from_microseconds(value.at("compute_us")),
                              .iteration = from_microseconds(value.at("iteration_us"))};
  for (const json& bucket : value.at("buckets")) {
    timeline.buckets.push_back({.ready = from_microseconds(bucket.at("ready_us")),
                                .start = from_microseconds(bucket.at("start_us")),
                                .end = from_microseconds(bucket.at("end_us")),
                                .bytes = bucket.at("bytes")});
  }
  return timeline;
}

json to_json(const TrainingRow& training) {
  const schedule::Timeline& predicted = training.plan.predicted;
  json buckets = json::array();
  for (std::size_t i = 0; i < training.bucket_gst.size(); ++i) {
    json bucket = {{"gst_us", in_microseconds(training.bucket_gst[i])}};
    if (i < predicted.buckets.size()) {
      bucket["bytes"] = predicted.buckets[i].bytes;
      bucket["predicted"] = to_json(predicted.buckets[i]);
    }
    buckets.push_back(std::move(bucket));
  }
  return {{"profile", training.plan.profile},
          {"iteration_us", to_json(training.iteration)},
          {"compute_us", in_microseconds(training.compute)},
          {"exposed_us", in_microseconds(training.exposed)},
          {"exposed_percent", training.exposed_percent()},
          {"jct_us", in_microseconds(training.jct)},
          {"predicted_iteration_us",
           predicted.buckets.empty() ? json(nullptr) : json(in_microseconds(predicted.iteration))},
          {"prediction_error_percent", or_null(training.prediction_error_percent())},
          {"cost", to_json(training.plan.cost)},
          {"buckets", std::move(buckets)}};
}

}  // namespace

json to_json(const Configuration& configuration) {
  return {{"point", configuration.point},
          {"backing", to_string(configuration.backing)},
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

Configuration configuration_from_json(const json& value) {
  const json& batch = value.at("batch");
  return {.point = value.at("point"),
          .backing = parse_backing(value.at("backing").get<std::string>()),
          .wiring = value.at("wiring"),
          .algorithm = value.at("algorithm"),
          .workload = value.at("workload"),
          .batch = batch.is_null() ? 0 : batch.get<std::uint64_t>(),
          .schedule = value.at("schedule"),
          .ranks = value.at("N"),
          .ports_per_host = value.at("k"),
          .elements = value.at("elements"),
          .type = value.at("type")};
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

WiringCost wiring_cost_from_json(const json& value) {
  WiringCost wiring{.cut = from_microseconds(value.at("cut_us")),
                    .cut_name = value.at("cut"),
                    .cost = {.switches = value.at("switches"),
                             .switch_ports = value.at("switch_ports"),
                             .nics = value.at("nics"),
                             .cables = value.at("cables")}};
  if (!value.at("price").is_null()) wiring.price = value.at("price").get<double>();
  return wiring;
}

json to_json(const TrainingPlan& plan) {
  return {{"profile", plan.profile},
          {"cost", to_json(plan.cost)},
          {"predicted", to_json(plan.predicted)}};
}

TrainingPlan training_plan_from_json(const json& value) {
  return {.profile = value.at("profile"),
          .cost = measured_cost_from_json(value.at("cost")),
          .predicted = timeline_from_json(value.at("predicted"))};
}

json to_json(const Row& row) {
  const Rates rates = row.rates();
  json result = to_json(row.configuration);
  result["key"] = row.key;
  result["dilation"] = row.dilation;
  result["gst_us"] = to_json(row.gst);
  result["bound_us"] = row.bound ? json(in_microseconds(*row.bound)) : json(nullptr);
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

}  // namespace gradwire::record
