#include "topologies/load.h"

#include <algorithm>

#include "core/count.h"
#include "core/error.h"

namespace gradwire::topologies {
namespace {

/// Calls visit(sender, send) for each send of step `step`.
template <class Visit>
void for_each_send(std::span<const Plan> plans, std::size_t step, const Visit& visit) {
  for (std::size_t sender = 0; sender < plans.size(); ++sender) {
    for (const Lane& lane : plans[sender].lanes) {
      if (step >= lane.size()) continue;
      for (const Send& send : lane[step].sends) visit(sender, send);
    }
  }
}

/// The number of steps of the longest Plan.
std::size_t most_steps(std::span<const Plan> plans) {
  std::size_t steps = 0;
  for (const Plan& plan : plans) steps = std::max(steps, step_count(plan));
  return steps;
}

}  // namespace

std::vector<double> link_speeds(const Topology& topology) {
  std::vector<double> speeds;
  speeds.reserve(2 * topology.links().size());
  for (const Link& link : topology.links()) speeds.insert(speeds.end(), 2, link.speed);
  return speeds;
}

std::vector<Hop> planned_route(const Topology& topology, Rank from, const Peer& to) {
  std::vector<Hop> hops = topology.route(from, to.rank, to.at);
  ensure(topology.departure(hops.front()).port == to.via,
         "a Plan sends through the port that the wiring's route leaves by");
  return hops;
}

std::vector<LinkUse> planned_links(const Topology& topology, Rank from, const Peer& to) {
  const std::vector<Hop> hops = planned_route(topology, from, to);
  std::vector<LinkUse> uses;
  uses.reserve(hops.size());
  for (const Hop& hop : hops) uses.push_back({.link = link_number(hop)});
  return uses;
}

LinkLoad::LinkLoad(const Topology& topology)
    : topology_(&topology),
      elements_(2 * topology.links().size()),
      messages_(2 * topology.links().size()) {}

void LinkLoad::add(Rank from, Rank to, std::uint64_t elements) {
  add(topology_->route(from, to), elements);
}

void LinkLoad::add(Rank from, const Send& send) {
  add(planned_route(*topology_, from, send.to), send.what.count);
}

void LinkLoad::add(std::span<const Hop> hops, std::uint64_t elements) {
  for (const Hop& hop : hops) {
    elements_[link_number(hop)] += elements;
    ++messages_[link_number(hop)];
  }
}

std::uint64_t LinkLoad::at(Hop hop) const {
  return elements_.at(link_number(hop));
}

std::uint64_t LinkLoad::messages_at(Hop hop) const {
  return messages_.at(link_number(hop));
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

LinkLoad load_of(const Topology& topology, std::span<const Plan> plans) {
  LinkLoad load(topology);
  for (std::size_t step = 0; step < most_steps(plans); ++step) {
    for_each_send(plans, step,
                  [&](std::size_t rank, const Send& send) { load.add(Rank(rank), send); });
  }
  return load;
}

LinkLoad load_of_step(const Topology& topology, std::span<const Plan> plans, std::size_t step) {
  LinkLoad load(topology);
  for_each_send(plans, step,
                [&](std::size_t rank, const Send& send) { load.add(Rank(rank), send); });
  return load;
}

double step_bound(const Topology& topology, std::span<const Plan> plans) {
  const std::vector<double> speeds = link_speeds(topology);
  std::vector<double> load(speeds.size());  // elements; whole, so that adding doubles is exact
  std::vector<std::uint32_t> loaded;        // what has to be cleared for the next step
  double bound = 0;
  for (std::size_t step = 0; step < most_steps(plans); ++step) {
    double longest = 0;
    for_each_send(plans, step, [&](std::size_t rank, const Send& send) {
      for (const Hop& hop : planned_route(topology, Rank(rank), send.to)) {
        const std::uint32_t link = link_number(hop);
        load[link] += static_cast<double>(send.what.count);
        longest = std::max(longest, load[link] / speeds[link]);
        loaded.push_back(link);
      }
    });
    for (const std::uint32_t link : loaded) load[link] = 0;
    loaded.clear();
    bound += longest;
  }
  return bound;
}

}  // namespace gradwire::topologies
