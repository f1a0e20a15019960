#include "topologies/load.h"

#include <algorithm>

#include "core/count.h"
#include "core/error.h"

namespace gradwire::topologies {
namespace {

std::size_t slot(Hop hop) {
  return 2 * hop.link.index() + (hop.from_a ? 0 : 1);
}

}  // namespace

LinkLoad::LinkLoad(const Topology& topology)
    : topology_(&topology), elements_(2 * topology.links().size()) {}

void LinkLoad::add(Rank from, Rank to, std::uint64_t elements) {
  add(topology_->route(from, to), elements);
}

void LinkLoad::add(Rank from, const Send& send) {
  const std::vector<Hop> hops = topology_->route(from, send.to.rank, send.to.at);
  ensure(topology_->departure(hops.front()).port == send.to.via,
         "a Plan sends through a port that is not on the wiring's route");
  add(hops, send.what.count);
}

void LinkLoad::add(std::span<const Hop> hops, std::uint64_t elements) {
  for (const Hop& hop : hops) elements_[slot(hop)] += elements;
}

std::uint64_t LinkLoad::at(Hop hop) const {
  return elements_.at(slot(hop));
}

std::uint64_t LinkLoad::max() const {
  return std::ranges::max(elements_);
}

double LinkLoad::max_time() const {
  double longest = 0;
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    longest =
        std::max(longest, static_cast<double>(elements_[i]) / topology_->links()[i / 2].speed);
  }
  return longest;
}

LinkLoad load_of_step(const Topology& topology, std::span<const Plan> plans, std::size_t step) {
  LinkLoad load(topology);
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (const Lane& lane : plans[rank].lanes) {
      if (step >= lane.size()) continue;
      for (const Send& send : lane[step].sends) load.add(Rank(rank), send);
    }
  }
  return load;
}

double step_bound(const Topology& topology, std::span<const Plan> plans) {
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  double bound = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    bound += load_of_step(topology, plans, step).max_time();
  }
  return bound;
}

}  // namespace gradwire::topologies
