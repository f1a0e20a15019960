#include "harness/names/algorithms.h"

#include <algorithm>
#include <functional>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "bml/plan.h"
#include "collectives/double_binary_tree.h"
#include "collectives/halving_doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_rings.h"
#include "core/error.h"
#include "core/plan_check.h"
#include "harness/names/peer_algorithms.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "text/arguments.h"
#include "topologies/load.h"

namespace gradwire::names {
namespace {

using topologies::Topology;

Plan plan_ring(text::Arguments& arguments, const Topology& topology, Rank rank,
               const Amount& amount) {
  const std::size_t pieces = arguments.number("pieces", 1);
  arguments.finish();
  return ringallreduce::plan(topology, rank, amount.elements, {.pieces = pieces});
}

ps::Options ps_options(text::Arguments& arguments, const Amount& amount) {
  ps::Options options;
  if (arguments.flag("per-tensor")) {
    options.placement = ps::Placement::per_tensor;
    options.tensors = amount.tensors;
    options.placed = amount.tensors_before;
  }
  options.servers = arguments.number("servers", 0);
  options.dedicated = arguments.flag("dedicated");
  arguments.finish();
  return options;
}

Plan plan_ps(text::Arguments& arguments, const Topology& topology, Rank rank,
             const Amount& amount) {
  return ps::plan(topology, rank, amount.elements, ps_options(arguments, amount));
}

Plan plan_bml(text::Arguments& arguments, const Topology& topology, Rank rank,
              const Amount& amount) {
  arguments.finish();
  return bml::plan(topology, rank, amount.elements);
}

Plan plan_double_tree(text::Arguments& arguments, const Topology& topology, Rank rank,
                      const Amount& amount) {
  namespace trees = collectives::double_binary_tree;
  const trees::Options options{
      .pieces = arguments.number("pieces", trees::default_pieces(amount.elements))};
  arguments.finish();
  return trees::plan(topology, rank, amount.elements, options);
}

Plan plan_halving_doubling(text::Arguments& arguments, const Topology& topology, Rank rank,
                           const Amount& amount) {
  arguments.finish();
  return collectives::halving_doubling::plan(topology, rank, amount.elements);
}

Plan plan_hierarchical(text::Arguments& arguments, const Topology& topology, Rank rank,
                       const Amount& amount) {
  collectives::hierarchical::Options options;
  if (const std::size_t group = arguments.number("groups", 0); group > 0) options.groups = {group};
  arguments.finish();
  return collectives::hierarchical::plan(topology, rank, amount.elements, options);
}

Plan plan_staged_bcube(text::Arguments& arguments, const Topology& topology, Rank rank,
                       const Amount& amount) {
  arguments.finish();
  return collectives::staged_bcube::plan(topology, rank, amount.elements);
}

Plan plan_striped_rings(text::Arguments& arguments, const Topology& topology, Rank rank,
                        const Amount& amount) {
  arguments.finish();
  return collectives::striped_rings::plan(topology, rank, amount.elements);
}

using Planner = std::function<Plan(text::Arguments&, const Topology&, Rank, const Amount&)>;

const std::map<std::string, Planner>& planners() {
  static const std::map<std::string, Planner> all{
      {"bml", plan_bml},
      {"double-tree", plan_double_tree},
      {"halving-doubling", plan_halving_doubling},
      {"hierarchical", plan_hierarchical},
      {"ps", plan_ps},
      {"ring", plan_ring},
      {"staged-bcube", plan_staged_bcube},
      {"striped-rings", plan_striped_rings},
  };
  return all;
}

}  // namespace

bool is_per_tensor(const text::Spec& algorithm) {
  return std::ranges::find(algorithm.flags, "per-tensor") != algorithm.flags.end();
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const auto& [name, planner] : planners()) names.push_back(name);
  return names;
}

Plan make_plan(const text::Spec& algorithm, const Topology& topology, Rank rank,
               const Amount& amount) {
  const auto planner = planners().find(algorithm.name);
  if (is_peer(algorithm)) {
    check_peer(algorithm, amount.elements);
    throw InputError(fmt::format("{} is a library: its schedule is its own, there is no Plan",
                                 to_string(algorithm)));
  }
  if (planner == planners().end()) {
    throw InputError(fmt::format("unknown algorithm '{}'; there are: {}, and libraries: {}",
                                 algorithm.name, fmt::join(algorithm_names(), ", "),
                                 fmt::join(peer_names(), ", ")));
  }
  text::Arguments arguments(algorithm);
  return planner->second(arguments, topology, rank, amount);
}

Goal goal_of(const text::Spec& algorithm, std::size_t ranks, const Amount& amount) {
  if (algorithm.name != "ps") return all_reduce(ranks, amount.elements);
  text::Arguments arguments(algorithm);
  return ps::goal(ranks, amount.elements, ps_options(arguments, amount));
}

std::vector<Plan> make_checked_plans(const text::Spec& algorithm, const Topology& topology,
                                     const Amount& amount) {
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    plans.push_back(make_plan(algorithm, topology, Rank(i), amount));
  }
  const std::vector<std::string> findings =
      check_plans(plans, goal_of(algorithm, topology.hosts(), amount));
  if (!findings.empty()) {
    throw InternalError(fmt::format("{} on {} does not synchronize: {}", to_string(algorithm),
                                    topology.name(), findings.front()));
  }
  return plans;
}

Seconds bound_of(const Topology& topology, std::span<const Plan> plans, BitRate payload) {
  return time_to_send(topologies::step_bound(topology, plans) * sizeof(float), payload);
}

}  // namespace gradwire::names
