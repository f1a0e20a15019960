#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "simulator/placement_judge.h"
#include "simulator/placement_loads.h"

namespace gradwire::simulator {

/// How far a search goes.
struct ClimbLimits {
  Wanted wanted{};
  double bound = 0;      ///< when less slowdown than this is impossible
  std::size_t most = 0;  ///< placements that are simulated in all, those known before among them
};

/// Looks for good placements by exchanging hosts, again and again from elsewhere.
class PlacementClimb {
 public:
  /// `twins` are the wiring's (topologies::twin_runs): hosts that it is no use to exchange. What is
  /// referred to must outlive it.
  PlacementClimb(PlacementJudge& judge, PlacementLoads& loads, std::span<const std::size_t> twins,
                 const ClimbLimits& limits);

  /// Begins with the tenants' own seats, then with jobs packed, dealt out and shuffled, and with the best
  /// so far after some exchanges. From each start hosts are exchanged as long as loads tell that it
  /// helps; where that leads to a placement that is no worse than the best so far, they are exchanged as
  /// long as simulations say so, too. Ends at the limit, when nothing can be better, and when nothing
  /// better was found from many starts. What was found is in the judge; the first three starts are, too,
  /// as far as the limit allows.
  void run();

 private:
  using Exchange = std::pair<Rank, Rank>;

  [[nodiscard]] bool is_over() const;
  /// Where the search begins for the n-th time.
  [[nodiscard]] Seats start(std::size_t round);
  /// The best placement so far after some exchanges.
  [[nodiscard]] Seats kicked();
  /// Exchanges hosts as long as that lessens the crowding, or adds to it.
  void settle();
  /// Exchanges hosts as long as simulations say that it helps. `cost` is that of where it begins.
  void climb(Cost cost);
  /// The exchanges after which loads are best.
  [[nodiscard]] std::vector<Exchange> promising();
  /// Two hosts with different jobs, or a job and none.
  [[nodiscard]] Exchange any_exchange();
  [[nodiscard]] bool matters(Rank a, Rank b) const;
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }

  PlacementJudge& judge_;
  PlacementLoads& loads_;
  std::span<const std::size_t> twins_;
  ClimbLimits limits_;
  std::vector<std::size_t> ranks_;  ///< by job
  std::mt19937 random_;
  std::size_t tried_ = 0;  ///< exchanges, while settling
};

}  // namespace gradwire::simulator
