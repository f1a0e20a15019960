#include "harness/names/hybrid.h"

#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "harness/names/peer_algorithms.h"
#include "results/record/configuration.h"

namespace gradwire::names {
namespace {

/// What the algorithm sums.
Amount gradients_of(const Amount& amount) {
  Amount gradients = amount;
  gradients.stack.reset();
  return gradients;
}

Goal summed_goal(const text::Spec& algorithm, const topologies::Topology& topology,
                 const Amount& amount) {
  if (is_peer(algorithm)) {
    throw InputError(
        fmt::format("{} is a library: it has no Plan for what hybrid(...) moves beside "
                    "gradients",
                    to_string(algorithm)));
  }
  if (collective_of(algorithm) != record::kAllReduce) {
    throw InputError(
        fmt::format("{} sums no gradients for everyone; hybrid(...) goes with an "
                    "all-reduce",
                    to_string(algorithm)));
  }
  return goal_of(algorithm, topology, gradients_of(amount));
}

}  // namespace

void check_stack(const Amount& amount, std::size_t ranks) {
  if (amount.stack) collectives::hybrid::require_host(*amount.stack, ranks);
}

Achieved hybrid_achieves(const text::Spec& algorithm, const topologies::Topology& topology,
                         const Amount& amount) {
  const Goal summed = summed_goal(algorithm, topology, amount);
  return {.goal = collectives::hybrid::goal(summed, *amount.stack),
          .bus_factor = collectives::hybrid::busiest_port(summed, *amount.stack) /
                        static_cast<double>(amount.elements)};
}

Plan hybrid_plan(const text::Spec& algorithm, const topologies::Topology& topology, Rank rank,
                 const Amount& amount) {
  const Goal summed = summed_goal(algorithm, topology, amount);
  Plan gradients = make_plan(algorithm, topology, rank, gradients_of(amount));
  return collectives::hybrid::plan(topology, rank, std::move(gradients), summed, *amount.stack);
}

std::vector<Plan> hybrid_stages(const text::Spec& algorithm, const topologies::Topology& topology,
                                Rank rank, const Amount& amount) {
  const Goal summed = summed_goal(algorithm, topology, amount);
  Plan gradients = make_plan(algorithm, topology, rank, gradients_of(amount));
  return collectives::hybrid::stages(topology, rank, std::move(gradients), summed, *amount.stack);
}

std::vector<Rank> hybrid_workers(const text::Spec& algorithm, const topologies::Topology& topology,
                                 const Amount& amount) {
  return contributors(summed_goal(algorithm, topology, amount));
}

}  // namespace gradwire::names
