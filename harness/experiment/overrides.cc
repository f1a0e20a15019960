#include "harness/experiment/overrides.h"

#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/text/whole_number.h"

namespace gradwire::experiment {

Experiment apply(Experiment experiment, const Overrides& overrides) {
  experiment.warmup = overrides.warmup.value_or(experiment.warmup);
  experiment.iterations = overrides.iterations.value_or(experiment.iterations);
  if (overrides.dilation) experiment.dilation = overrides.dilation->factor;
  experiment.rate = overrides.rate.value_or(experiment.rate);
  experiment.seed = overrides.seed.value_or(experiment.seed);
  experiment.timeout = overrides.timeout.value_or(experiment.timeout);
  if (!overrides.backings.empty()) {
    experiment.backings = overrides.backings;
    experiment.backing_place = {};
  }
  if (overrides.transport) {
    experiment.transport.kind = *overrides.transport;
    experiment.transport_place = {};
  }
  if (overrides.inventory) {
    if (!experiment.hosts) experiment.hosts.emplace();
    experiment.hosts->inventory = *overrides.inventory;
  }
  return experiment;
}

nlohmann::json to_json(const Overrides& overrides) {
  nlohmann::json json = nlohmann::json::object();
  if (overrides.warmup) json["warmup"] = *overrides.warmup;
  if (overrides.iterations) json["iterations"] = *overrides.iterations;
  if (overrides.dilation) {
    json["dilation"] = overrides.dilation->factor ? nlohmann::json(*overrides.dilation->factor)
                                                  : nlohmann::json("auto");
  }
  if (overrides.rate) json["rate_bits_per_s"] = overrides.rate->bits_per_second;  // unlimited: null
  if (overrides.seed) json["seed"] = *overrides.seed;
  for (const record::Backing one : overrides.backings) json["backing"].push_back(to_string(one));
  if (overrides.transport) json["transport"] = to_string(*overrides.transport);
  if (overrides.inventory) json["inventory"] = *overrides.inventory;
  if (overrides.timeout) json["timeout_ns"] = overrides.timeout->count();
  return json;
}

Overrides overrides_from_json(const nlohmann::json& json) {
  using text::whole_number;
  Overrides overrides;
  if (json.contains("warmup")) overrides.warmup = whole_number<std::size_t>(json["warmup"]);
  if (json.contains("iterations"))
    overrides.iterations = whole_number<std::size_t>(json["iterations"]);
  if (json.contains("dilation")) {
    const nlohmann::json& dilation = json["dilation"];
    overrides.dilation = Dilation{};
    if (dilation.is_number()) overrides.dilation->factor = dilation.get<double>();
  }
  if (json.contains("rate_bits_per_s")) {
    const nlohmann::json& rate = json["rate_bits_per_s"];  // JSON has no infinity
    overrides.rate = rate.is_null() ? kUnlimited : BitRate{rate.get<double>()};
  }
  if (json.contains("seed")) overrides.seed = whole_number<std::uint64_t>(json["seed"]);
  for (const nlohmann::json& one : json.value("backing", nlohmann::json::array())) {
    overrides.backings.push_back(record::parse_backing(one.get<std::string>()));
  }
  if (json.contains("transport")) {
    overrides.transport = execution::parse_transport(json["transport"].get<std::string>());
  }
  if (json.contains("inventory")) overrides.inventory = json["inventory"].get<std::string>();
  if (json.contains("timeout_ns")) {
    overrides.timeout = Nanoseconds(whole_number<Nanoseconds::rep>(json["timeout_ns"]));
  }
  return overrides;
}

Overrides resumed(Overrides begun, const Overrides& asked) {
  const auto refuse = [](bool given, const char* what) {
    if (!given) return;
    throw InputError(
        fmt::format("{} is settled when a run begins: begin a new one, or leave it out", what));
  };
  refuse(asked.dilation.has_value(), "--dilation");
  refuse(asked.rate.has_value(), "--rate");
  refuse(asked.seed.has_value(), "--seed");
  refuse(!asked.backings.empty(), "--backing");
  begun.inventory = asked.inventory;  // a run folder may be somebody else's
  refuse(asked.transport.has_value(), "--transport");
  if (asked.warmup) begun.warmup = asked.warmup;
  if (asked.iterations) begun.iterations = asked.iterations;
  if (asked.timeout) begun.timeout = asked.timeout;
  return begun;
}

}  // namespace gradwire::experiment
