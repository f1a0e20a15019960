#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "simulator/placement_judge.h"
#include "simulator/placement_loads.h"

namespace gradwire::simulator {

/// The limits of a search.
struct ClimbLimits {
  Wanted wanted{};
  double bound = 0;      ///< less slowdown than this is impossible
  std::size_t most = 0;  ///< most placements to simulate, including those known before
};

/// Searches for good placements by exchanging hosts, from many starts.
class PlacementClimb {
 public:
  /// A search that does not exchange `twins` of the wiring (topologies::twin_runs), because that is
  /// of no use. The arguments must outlive it.
  PlacementClimb(PlacementJudge& judge, PlacementLoads& loads, std::span<const std::size_t> twins,
                 const ClimbLimits& limits);

  /// Searches until the limit, until nothing can be better, or until nothing better was found from
  /// many starts. It begins with the tenants' own seats, then with jobs packed, dealt out and
  /// shuffled, and then with the best placement so far after some exchanges. From each start it
  /// exchanges hosts as long as loads show that it helps. If that leads to a placement that is no
  /// worse than the best so far, it exchanges hosts as long as simulations show that it helps, too.
  /// The judge keeps the results, and also the first three starts, as far as the limit allows.
  void run();

 private:
  using Exchange = std::pair<Rank, Rank>;

  [[nodiscard]] bool is_over() const;
  /// The beginning of the search in round `round`.
  [[nodiscard]] Seats start(std::size_t round);
  /// The best placement so far after some exchanges.
  [[nodiscard]] Seats kicked();
  /// Exchanges hosts as long as that lessens the crowding, or increases it if that is wanted.
  void settle();
  /// Exchanges hosts as long as simulations show that it helps. `cost` is that of the present
  /// placement.
  void climb(Cost cost);
  /// The exchanges after which loads are best.
  [[nodiscard]] std::vector<Exchange> promising();
  /// A random exchange of two hosts with different jobs, or of one with a job and a free one.
  [[nodiscard]] Exchange any_exchange();
  [[nodiscard]] bool matters(Rank a, Rank b) const;
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }

  PlacementJudge& judge_;
  PlacementLoads& loads_;
  std::span<const std::size_t> twins_;
  ClimbLimits limits_;
  std::vector<std::size_t> ranks_;  ///< by job
  std::mt19937 random_;
  std::size_t tried_ = 0;  ///< exchanges tried while settling
};

}  // namespace gradwire::simulator
