#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/company.h"
#include "simulator/placement_judge.h"

namespace gradwire::simulator {

/// The measure of how much jobs in a placement hinder each other, computed from loads alone. Less
/// is better; between equal loads, jobs whose hosts are near each other are better.
struct Crowding {
  /// The sum over all directed links of the fourth power of the link's time for one iteration of
  /// each job, in units of that job's iteration alone: the busiest links decide. The ranks' sends
  /// are those of Plans on the wiring's first hosts, on the wiring's own routes.
  double load = 0;
  double distance = 0;  ///< links between any two hosts of a job, summed over all jobs

  /// Compares loads by their first 24 bits: below these they differ by rounding.
  friend bool operator<(const Crowding& a, const Crowding& b) {
    return std::pair(static_cast<float>(a.load), a.distance) <
           std::pair(static_cast<float>(b.load), b.distance);
  }
  friend bool operator>(const Crowding& a, const Crowding& b) { return b < a; }
};

/// A placement with its loads on links, and the loads after exchanging two hosts. Nothing is
/// simulated.
class PlacementLoads {
 public:
  /// The loads of the judge's jobs on its wiring, relative to its times alone. The arguments must
  /// outlive it.
  PlacementLoads(const PlacementJudge& judge, const PlansOf& plans_of, const NetworkModel& model);

  /// Changes to another placement.
  void go_to(Seats seats);
  [[nodiscard]] const Seats& seats() const { return seats_; }
  [[nodiscard]] const Crowding& crowding() const { return crowding_; }

  /// The job that runs on a host; kFree for none.
  [[nodiscard]] std::size_t job_on(Rank host) const { return job_on_[host.index()]; }
  /// The placement after the jobs on two hosts have changed places.
  [[nodiscard]] Seats exchanged(Rank a, Rank b) const;
  /// The crowding after that exchange. Requires different jobs on the hosts, or a job on one.
  [[nodiscard]] Crowding if_exchanged(Rank a, Rank b) const;
  /// Makes that exchange. Requires the same.
  void exchange(Rank a, Rank b);

  static constexpr std::size_t kFree = SIZE_MAX;

 private:
  /// The time that a link needs for an iteration of a job, in units of that iteration alone.
  struct Share {
    std::uint32_t link = 0;
    double time = 0;
  };

  [[nodiscard]] std::vector<Share> shares_of(std::size_t job, const std::vector<Rank>& hosts) const;
  /// The hosts of a job, ascending, after it has left one for another.
  [[nodiscard]] std::vector<Rank> moved(std::size_t job, Rank from, Rank to) const;
  [[nodiscard]] double distance(Rank a, Rank b) const;
  /// The increase of the distance between a job's hosts when it leaves one for another.
  [[nodiscard]] double farther(std::size_t job, Rank from, Rank to) const;
  /// Adds the changes of loads when a job leaves one host for another.
  void add_move(std::size_t job, Rank from, Rank to, std::vector<Share>& changes) const;

  using Route = std::vector<std::uint32_t>;  ///< links by number

  /// The links between two hosts, remembered.
  [[nodiscard]] const Route& route(Rank from, Rank to) const;

  const topologies::Topology& topology_;
  std::vector<double> speeds_;                ///< bytes per second, by link
  std::vector<std::vector<RankFlow>> flows_;  ///< by job: bytes over the job's time alone
  mutable std::unordered_map<std::uint64_t, Route> routes_;
  Seats seats_;
  std::vector<std::size_t> job_on_;         ///< by host
  std::vector<std::vector<Share>> shares_;  ///< by job
  std::vector<double> times_;               ///< by link: the sum of the shares
  Crowding crowding_;
};

}  // namespace gradwire::simulator
