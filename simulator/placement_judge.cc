#include "simulator/placement_judge.h"

#include <algorithm>

namespace gradwire::simulator {
namespace {

double mean_iteration(const JobOutcome& outcome, Seconds start) {
  return (outcome.ends.back() - start.count()) / static_cast<double>(outcome.ends.size());
}

}  // namespace

PlacementJudge::PlacementJudge(const topologies::Topology& topology,
                               std::span<const Tenant> tenants, const PlansOf& plans_of,
                               const NetworkModel& model)
    : topology_(topology),
      tenants_(tenants.begin(), tenants.end()),
      plans_of_(plans_of),
      model_(model) {
  for (Tenant tenant : tenants) {
    for (std::size_t rank = 0; rank < tenant.seats.size(); ++rank) tenant.seats[rank] = Rank(rank);
    const auto outcomes = simulate(topology, {&tenant, 1}, plans_of, model);
    alone_.push_back(mean_iteration(outcomes.front(), tenant.start));
  }
}

Cost PlacementJudge::judge(const Seats& seats) {
  const auto [known, is_new] = judged_.try_emplace(seats);
  if (!is_new) return known->second;
  known->second = simulated_cost(seats);
  const bool is_first = judged_.size() == 1;
  for (auto [kept, wanted] : {std::pair(&best_, Wanted::least), std::pair(&worst_, Wanted::most)}) {
    if (is_first || is_better(wanted, known->second, Cost(kept->slowdown, kept->sum))) {
      *kept = {.seats = seats, .slowdown = known->second.first, .sum = known->second.second};
    }
  }
  return known->second;
}

Cost PlacementJudge::simulated_cost(const Seats& seats) const {
  std::vector<Tenant> tenants = tenants_;
  for (std::size_t job = 0; job < tenants.size(); ++job) tenants[job].seats = seats[job];
  const auto outcomes = simulate(topology_, tenants, plans_of_, model_, {.goes_on = true});
  Cost cost;
  for (std::size_t job = 0; job < tenants.size(); ++job) {
    if (alone_[job] == 0) continue;  // it does nothing
    const double slowdown = mean_iteration(outcomes[job], tenants[job].start) / alone_[job];
    cost.first = std::max(cost.first, slowdown);
    cost.second += slowdown;
  }
  return cost;
}

}  // namespace gradwire::simulator
