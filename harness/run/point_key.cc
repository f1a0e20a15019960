#include "harness/run/point_key.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/hasher.h"
#include "topologies/export.h"
#include "topologies/registry.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

json number_or_null(const std::optional<std::size_t>& number) {
  return number ? json(*number) : json(nullptr);
}

json describe(const experiment::PlannedFailure& failure) {
  return {number_or_null(failure.host),
          number_or_null(failure.port),
          number_or_null(failure.switch_number),
          number_or_null(failure.link),
          failure.at.count(),
          failure.until ? json(failure.until->count()) : json(nullptr)};
}

json describe(const workloads::Profile& profile) {
  json layers = json::array();
  for (const workloads::Layer& layer : profile.layers) {
    layers.push_back({layer.forward.count(), layer.backward.count(), layer.tensors});
  }
  return layers;
}

json describe_links(const experiment::Experiment& experiment) {
  return {{"rate", experiment.rate.bits_per_second},
          {"mtu", experiment.mtu},
          {"headers", experiment.headers},
          {"startup", experiment.startup.count()},
          {"delay", experiment.delay.count()},
          {"transport", to_string(experiment.transport.kind)}};
}

}  // namespace

std::string point_key(const experiment::Experiment& experiment, const PreparedPoint& point) {
  const record::Configuration& c = point.configuration;
  json all = {{"backing", to_string(c.backing)},
              {"wiring", c.wiring},
              {"algorithm", c.algorithm},
              {"workload", c.workload},
              {"elements", c.elements},
              {"batch", c.batch},
              {"schedule", c.schedule},
              {"type", c.type},
              {"links", describe_links(experiment)}};
  // A graph is named after its file, which may hold something else tomorrow.
  if (c.wiring.starts_with("graph(")) {
    all["graph"] = topologies::export_json(*point.point.wiring);
  }
  if (point.training) {
    all["profile"] = describe(point.training->profile);
    all["load"] = to_string(experiment.compute->load);
  }
  if (c.backing == record::Backing::simulated) {
    all["gamma"] = experiment.cost.gamma;
    for (const experiment::PlannedFailure& failure : experiment.failures) {
      all["failures"].push_back(describe(failure));
    }
  } else if (c.backing == record::Backing::emulated) {
    all["dilation"] = experiment.dilation ? json(*experiment.dilation) : json("auto");
  }
  Hasher hasher;
  hasher.mix(all.dump());
  return fmt::format("{:016x}", hasher.value());
}

}  // namespace gradwire::run
