#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "core/extent.h"
#include "core/plan.h"

/// Types that the parts of check_plans() share: the place of a finding, and the list of findings.
namespace gradwire::plan_check {

/// One step of one lane of one rank.
struct Place {
  std::size_t rank;
  std::size_t lane;
  std::size_t step;

  /// The place in words: "rank 0, lane 1, step 2".
  [[nodiscard]] std::string text() const {
    return fmt::format("rank {}, lane {}, step {}", rank, lane, step);
  }
};

/// The extent in words: "[5, 10)".
[[nodiscard]] inline std::string text(const Extent& extent) {
  return fmt::format("[{}, {})", extent.first, extent.end());
}

/// The findings, in the order in which they were found. Keeps the first 20.
class Findings {
 public:
  /// Adds a sentence without a full stop; drops it when the list is full.
  void add(std::string finding) {
    if (list_.size() < kMost) list_.push_back(std::move(finding));
  }
  /// Whether nothing was found.
  [[nodiscard]] bool empty() const { return list_.empty(); }
  /// Moves the list out.
  [[nodiscard]] std::vector<std::string> take() { return std::move(list_); }

 private:
  static constexpr std::size_t kMost = 20;
  std::vector<std::string> list_;
};

/// Calls visit(place, step) for every step of every lane of every rank.
template <class Visit>
void for_each_step(std::span<const Plan> plans, Visit visit) {
  for (std::size_t rank = 0; rank < plans.size(); ++rank) {
    for (std::size_t lane = 0; lane < plans[rank].lanes.size(); ++lane) {
      const Lane& steps = plans[rank].lanes[lane];
      for (std::size_t step = 0; step < steps.size(); ++step) {
        visit(Place{rank, lane, step}, steps[step]);
      }
    }
  }
}

}  // namespace gradwire::plan_check
