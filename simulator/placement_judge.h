#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "simulator/jobs.h"

namespace gradwire::simulator {

/// By job, rank: ascending hosts.
using Seats = std::vector<std::vector<Rank>>;

/// Hosts for all jobs, and how well they do there.
struct JudgedPlacement {
  Seats seats;
  /// The largest over all jobs of an iteration's mean with all others, in units of its mean alone on the
  /// wiring's first hosts.
  double slowdown = 0;
  double sum =
      0;  ///< of all jobs' slowdowns: of placements with the same largest one, less is better
};

/// Which of two placements is better: the one with less slowdown, or the one with more.
enum class Wanted { least, most };

template <class Value>
bool is_better(Wanted wanted, const Value& a, const Value& b) {
  return wanted == Wanted::least ? a < b : a > b;
}

/// What a placement is judged by: its slowdown, then its sum.
using Cost = std::pair<double, double>;

/// Says how well jobs do where, by simulating them there, and remembers it.
class PlacementJudge {
 public:
  /// Runs every job alone on the wiring's first hosts. The wiring, the jobs and `plans_of` must outlive
  /// it.
  PlacementJudge(const topologies::Topology& topology, std::span<const Tenant> tenants,
                 const PlansOf& plans_of, const NetworkModel& model);

  /// Simulates a placement, unless it is known.
  Cost judge(const Seats& seats);

  /// The best or the worst placement so far; of equally good ones the first. Requires that there is one.
  [[nodiscard]] const JudgedPlacement& found(Wanted wanted) const {
    return wanted == Wanted::least ? best_ : worst_;
  }
  /// How many placements were simulated.
  [[nodiscard]] std::size_t simulated() const { return judged_.size(); }
  /// By job: seconds of an iteration alone on the wiring's first hosts.
  [[nodiscard]] const std::vector<double>& alone() const { return alone_; }
  /// The jobs, on the hosts on which they were given.
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
