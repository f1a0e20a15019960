#include "results/record/point_json.h"

#include <nlohmann/json.hpp>

namespace gradwire::record {
namespace {

using nlohmann::json;

double in_microseconds(Seconds time) {
  return time.count() * 1e6;
}

Seconds from_microseconds(const json& number) {
  return Seconds(number.get<double>() / 1e6);
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

schedule::Timeline plan_timeline_from_json(const json& value) {
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

}  // namespace

json to_json(const Configuration& configuration) {
  // A new field does not compile until it stands here.
  const auto& [point, backing, wiring, algorithm, collective, workload, batch, schedule, ranks,
               ports_per_host, elements, type, memory] = configuration;
  json all = {{"point", point},       {"backing", to_string(backing)},
              {"wiring", wiring},     {"algorithm", algorithm},
              {"workload", workload}, {"batch", batch > 0 ? json(batch) : json(nullptr)},
              {"schedule", schedule}, {"N", ranks},
              {"k", ports_per_host},  {"bytes", configuration.bytes()},
              {"elements", elements}, {"type", to_string(type)}};
  if (collective != kAllReduce) all["collective"] = collective;
  if (memory != Memory::host) all["memory"] = to_string(memory);
  return all;
}

Configuration configuration_from_json(const json& value) {
  const json& batch = value.at("batch");
  return {.point = value.at("point"),
          .backing = parse_backing(value.at("backing").get<std::string>()),
          .wiring = value.at("wiring"),
          .algorithm = value.at("algorithm"),
          .collective = value.value("collective", std::string(kAllReduce)),
          .workload = value.at("workload"),
          .batch = batch.is_null() ? 0 : batch.get<std::uint64_t>(),
          .schedule = value.at("schedule"),
          .ranks = value.at("N"),
          .ports_per_host = value.at("k"),
          .elements = value.at("elements"),
          .type = parse_dtype(value.at("type").get<std::string>()),
          .memory = parse_memory(value.value("memory", std::string(to_string(Memory::host))))};
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
          .predicted = plan_timeline_from_json(value.at("predicted"))};
}

}  // namespace gradwire::record
