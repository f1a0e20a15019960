#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/extent.h"
#include "core/goal.h"
#include "core/pattern.h"
#include "core/plan.h"
#include "harness/workers/rank/rank_memory.h"

namespace gradwire::workers {

/// The data of one rank in a collective: what it begins with, and whether it ends with what it must.
/// Memory is the caller's, and has room for all elements of the goal.
class GoalCheck {
 public:
  /// `plan` is the rank's, empty where a library moves the data. Throws InternalError as Pattern.
  GoalCheck(Goal goal, Rank rank, const Plan& plan, Dtype type, std::uint64_t seed);

  /// Goes to other data: another number gives other values.
  void turn_to(std::size_t iteration) { pattern_.turn_to(iteration); }

  /// Puts what the rank begins with where it belongs. Where it adds into what it does not begin with
  /// it finds zeros, and nothing that was left there may pass for a sum. What it never touches takes
  /// no memory.
  void fill(const RankMemory& memory) const;
  /// Sets all that it touches to 0.
  void clear(const RankMemory& memory) const;
  /// Sums are exact only of data that are what they were filled with. Throws FabricError for an
  /// element that is not: the rank that holds it is named, before its value is in everybody's sums.
  void require_intact(const RankMemory& memory) const;
  /// Number of elements that it must end with and that are not what they should be.
  [[nodiscard]] std::size_t count_wrong(const RankMemory& memory) const;

 private:
  Rank rank_;
  Pattern pattern_;
  std::vector<Extent> touched_;  ///< the elements that it has any use for
  std::vector<Extent> begins_;   ///< the elements that this rank contributes to
  std::vector<Extent> ends_;     ///< the elements whose sums it must hold
};

}  // namespace gradwire::workers
