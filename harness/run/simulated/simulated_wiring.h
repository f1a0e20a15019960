#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithms/algorithm.h"
#include "core/plan.h"
#include "harness/run/prepare.h"
#include "simulator/fabric.h"
#include "simulator/simulation.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// Ranks and wiring that a point is simulated on: all its ranks, or one rank that stands for all.
///
/// One rank stands for all where that is exact: the wiring looks the same from every host, and
/// every Plan is the first one translated, which all Plans are made to find out unless the
/// algorithm says so for itself (Algorithm::ranks_are_alike, simulator/symmetry.h). When only the
/// division of the elements spoils it and there are too many messages to follow each, up to 5 % of
/// elements are added until every host has the same to do; the row then carries the flag padded.
class SimulatedWiring {
 public:
  struct Options {
    bool every_rank = false;  ///< because ranks are told apart: in a trace, with failures or queues
  };

  /// Throws InputError at the point's place when there is too much to simulate, Interrupted, and
  /// InternalError when the Plans do not synchronize (they are proven up to kMostProven hosts), or
  /// ranks that are said to be alike are seen not to be.
  SimulatedWiring(const PreparedPoint& point, const Options& options);

  [[nodiscard]] const simulator::Fabric& fabric() const { return *fabric_; }
  /// Plans by actor, of a padded amount where the wiring pads.
  [[nodiscard]] std::vector<Plan> plans(algorithms::Amount amount) const;
  /// Amount that is synchronized at the point, whole.
  [[nodiscard]] const algorithms::Amount& amount() const { return amount_; }
  /// Messages that carry a bucket, if every actor sends as many as rank 0 does.
  [[nodiscard]] std::uint64_t messages_per_bucket() const;
  /// padded, not-proven.
  [[nodiscard]] const std::vector<std::string>& flags() const { return flags_; }

 private:
  [[nodiscard]] Plan plan(Rank rank, const algorithms::Amount& amount) const;
  [[nodiscard]] algorithms::Amount padded(algorithms::Amount amount) const;
  [[nodiscard]] bool is_symmetric(const algorithms::Amount& amount) const;
  [[nodiscard]] bool is_little_padded() const;
  /// Mean number of links that a message of rank 0 crosses, by its Plan.
  [[nodiscard]] double mean_hops(const Plan& first) const;
  void choose(bool every_rank);
  void require_room(std::uint64_t messages, double hops) const;

  const PreparedPoint& point_;
  algorithms::Amount amount_;
  std::shared_ptr<const topologies::Topology> topology_;
  std::unique_ptr<const simulator::Fabric> fabric_;
  bool is_padded_ = false;
  std::uint64_t sends_of_first_ = 0;  ///< messages of rank 0, when everything is one bucket
  std::vector<std::string> flags_;
};

/// More messages than these are not followed one by one where padding helps.
inline constexpr std::uint64_t kMostExact = 3'000'000;

}  // namespace gradwire::run
