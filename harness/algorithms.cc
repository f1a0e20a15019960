#include "harness/algorithms.h"

#include <functional>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "bml/plan.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "harness/experiment/arguments.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "topologies/bcube.h"
#include "topologies/load.h"

namespace gradwire::harness {
namespace {

using topologies::Topology;

Plan plan_ring(Arguments& arguments, const Topology& topology, Rank rank, const Amount& amount) {
  const std::size_t pieces = arguments.number("pieces", 1);
  arguments.finish();
  return ringallreduce::plan(topology, rank, amount.elements, {.pieces = pieces});
}

Plan plan_ps(Arguments& arguments, const Topology& topology, Rank rank, const Amount& amount) {
  ps::Options options;
  if (arguments.flag("per-tensor")) {
    options.placement = ps::Placement::per_tensor;
    options.tensors = amount.tensors;
    options.placed = amount.tensors_before;
  }
  options.servers = arguments.number("servers", 0);
  options.dedicated = arguments.flag("dedicated");
  arguments.finish();
  return ps::plan(topology, rank, amount.elements, options);
}

Plan plan_bml(Arguments& arguments, const Topology& topology, Rank rank, const Amount& amount) {
  arguments.finish();
  const auto* bcube = dynamic_cast<const topologies::BCube*>(&topology);
  if (bcube == nullptr) {
    throw InputError(fmt::format("bml runs on bcube(n,k) only, not on {}", topology.name()));
  }
  return bml::plan(*bcube, rank, amount.elements);
}

using Planner = std::function<Plan(Arguments&, const Topology&, Rank, const Amount&)>;

const std::map<std::string, Planner>& planners() {
  static const std::map<std::string, Planner> all{
      {"bml", plan_bml}, {"ps", plan_ps}, {"ring", plan_ring}};
  return all;
}

}  // namespace

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const auto& [name, planner] : planners()) names.push_back(name);
  return names;
}

Plan make_plan(const Spec& algorithm, const Topology& topology, Rank rank, const Amount& amount) {
  const auto planner = planners().find(algorithm.name);
  if (planner == planners().end()) {
    throw InputError(fmt::format("unknown algorithm '{}'; there are: {}", algorithm.name,
                                 fmt::join(algorithm_names(), ", ")));
  }
  Arguments arguments(algorithm);
  return planner->second(arguments, topology, rank, amount);
}

std::vector<Plan> make_checked_plans(const Spec& algorithm, const Topology& topology,
                                     const Amount& amount) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(make_plan(algorithm, topology, Rank(i), amount));
  }
  const std::vector<std::string> findings = check_plans(plans, amount.elements);
  if (!findings.empty()) {
    throw InternalError(fmt::format("{} on {} does not synchronize: {}", to_string(algorithm),
                                    topology.name(), findings.front()));
  }
  return plans;
}

Seconds bound_of(const Topology& topology, std::span<const Plan> plans, BitRate payload) {
  return time_to_send(topologies::step_bound(topology, plans) * sizeof(float), payload);
}

}  // namespace gradwire::harness
