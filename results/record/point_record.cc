#include "results/record/point_record.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/record/point_json.h"
#include "results/record/store_error.h"

namespace gradwire::record {

using nlohmann::json;

json to_json(const PointRecord& record) {
  json line = to_json(record.configuration);
  line["key"] = record.key;
  line["session"] = record.attempt;
  line["dilation"] = record.dilation;
  line["warmup"] = record.warmup;
  line["iterations"] = record.iterations;
  line["integrity"] = record.integrity.empty() ? json(nullptr) : json(record.integrity);
  line["bound_us"] = record.bound ? json(record.bound->count() * 1e6) : json(nullptr);
  if (record.bus_factor) line["bus_factor"] = *record.bus_factor;
  if (record.predicted) line["predicted_gst_us"] = record.predicted->count() * 1e6;
  if (record.latency) line["latency_us"] = record.latency->count() * 1e6;
  line["wiring_cost"] = record.wiring ? to_json(*record.wiring) : json(nullptr);
  line["training"] = record.training ? to_json(*record.training) : json(nullptr);
  return line;
}

namespace {

/// Reads a time that older folders do not have.
std::optional<Seconds> microseconds_at(const json& value, const char* name) {
  if (!value.contains(name) || value.at(name).is_null()) return std::nullopt;
  return Seconds(value.at(name).get<double>() / 1e6);
}

}  // namespace

PointRecord point_record_from_json(const json& value) try {
  PointRecord record{.key = value.at("key"),
                     .attempt = value.at("session"),
                     .configuration = configuration_from_json(value),
                     .dilation = value.at("dilation"),
                     .warmup = value.at("warmup"),
                     .iterations = value.at("iterations")};
  // Folders of before say nothing.
  if (value.contains("integrity") && !value.at("integrity").is_null()) {
    record.integrity = value.at("integrity");
  }
  if (!value.at("bound_us").is_null()) {
    record.bound = Seconds(value.at("bound_us").get<double>() / 1e6);
  }
  if (value.contains("bus_factor")) record.bus_factor = value.at("bus_factor").get<double>();
  record.predicted = microseconds_at(value, "predicted_gst_us");
  record.latency = microseconds_at(value, "latency_us");
  if (!value.at("wiring_cost").is_null()) {
    record.wiring = wiring_cost_from_json(value.at("wiring_cost"));
  }
  if (!value.at("training").is_null()) {
    record.training = training_plan_from_json(value.at("training"));
  }
  return record;
} catch (const json::exception& error) {
  throw StoreError(fmt::format("is not a point: {}", error.what()));
} catch (const InputError& error) {  // a name that nobody knows
  throw StoreError(fmt::format("is not a point: {}", error.what()));
} catch (const InternalError& error) {  // costs that nobody measured
  throw StoreError(fmt::format("is not a point: {}", error.what()));
}

}  // namespace gradwire::record
