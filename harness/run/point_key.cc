#include "harness/run/point_key.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/hasher.h"
#include "topologies/export.h"
#include "topologies/registry.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

json describe(const workloads::Profile& profile) {
  json layers = json::array();
  for (const workloads::Layer& layer : profile.layers) {
    layers.push_back({layer.forward.count(), layer.backward.count(), layer.tensors});
  }
  return layers;
}

}  // namespace

std::string point_key(const experiment::Experiment& experiment, const PreparedPoint& point) {
  const record::Configuration& c = point.configuration;
  json all = {{"backing", to_string(c.backing)}, {"wiring", c.wiring},
              {"algorithm", c.algorithm},        {"workload", c.workload},
              {"elements", c.elements},          {"batch", c.batch},
              {"schedule", c.schedule},          {"type", to_string(c.type)}};
  all.update(experiment::counted(experiment, c.backing));
  // A graph is named after its file, which may hold something else tomorrow.
  if (c.wiring.starts_with("graph(")) {
    all["graph"] = topologies::export_json(*point.task.wiring);
  }
  const std::string plan = point.task.algorithm.file_digest();  // and so is a plan, or counts
  if (!plan.empty()) all["plan"] = plan;
  if (point.training) all["profile"] = describe(point.training->profile);
  Hasher hasher;
  hasher.mix(all.dump());
  return fmt::format("{:016x}", hasher.value());
}

}  // namespace gradwire::run
