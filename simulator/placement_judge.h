#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "simulator/jobs.h"

namespace gradwire::simulator {

/// The hosts of each job, by job, rank; ascending.
using Seats = std::vector<std::vector<Rank>>;

/// A placement of all jobs, with their slowdown there.
struct JudgedPlacement {
  Seats seats;
  /// The largest slowdown over all jobs: an iteration's mean with all others, in units of its mean
  /// alone on the wiring's first hosts.
  double slowdown = 0;
  /// The sum of all jobs' slowdowns, which decides between placements with the same largest one:
  /// less is better.
  double sum = 0;
};

/// The kind of placement that is better: the one with less slowdown, or the one with more.
enum class Wanted { least, most };

template <class Value>
bool is_better(Wanted wanted, const Value& a, const Value& b) {
  return wanted == Wanted::least ? a < b : a > b;
}

/// The cost of a placement: its slowdown, then its sum.
using Cost = std::pair<double, double>;

/// Rates placements of jobs by simulating them, and remembers the results.
class PlacementJudge {
 public:
  /// A judge that runs every job alone on the wiring's first hosts. The wiring, the jobs and
  /// `plans_of` must outlive it.
  PlacementJudge(const topologies::Topology& topology, std::span<const Tenant> tenants,
                 const PlansOf& plans_of, const NetworkModel& model);

  /// The cost of a placement, which is simulated unless it is known.
  Cost judge(const Seats& seats);

  /// The best or the worst placement so far; of equally good ones the first. Requires that there is
  /// one.
  [[nodiscard]] const JudgedPlacement& found(Wanted wanted) const {
    return wanted == Wanted::least ? best_ : worst_;
  }
  /// The number of simulated placements.
  [[nodiscard]] std::size_t simulated() const { return judged_.size(); }
  /// The seconds of an iteration of each job alone on the wiring's first hosts.
  [[nodiscard]] const std::vector<double>& alone() const { return alone_; }
  /// The jobs, on the hosts that they were given.
  [[nodiscard]] const std::vector<Tenant>& tenants() const { return tenants_; }
  [[nodiscard]] const topologies::Topology& topology() const { return topology_; }

 private:
  [[nodiscard]] Cost simulated_cost(const Seats& seats) const;

  const topologies::Topology& topology_;
  std::vector<Tenant> tenants_;
  const PlansOf& plans_of_;
  NetworkModel model_;
  std::vector<double> alone_;
  std::map<Seats, Cost> judged_;
  JudgedPlacement best_;
  JudgedPlacement worst_;
};

}  // namespace gradwire::simulator
