#include "harness/workers/rank/goal_check.h"

#include <optional>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/touched.h"

namespace gradwire::workers {

GoalCheck::GoalCheck(Goal goal, Rank rank, const Plan& plan, Dtype type, std::uint64_t seed)
    : rank_(rank),
      pattern_(goal, seed, type),
      touched_(touched(goal, rank, plan)),
      begins_(std::move(goal.begins[rank.index()])),
      ends_(std::move(goal.ends[rank.index()])) {}

void GoalCheck::fill(const RankMemory& memory) const {
  if (begins_ != touched_) clear(memory);
  for (const Extent& extent : begins_) {
    memory.fill(pattern_, rank_, extent);
  }
  memory.settle();
}

void GoalCheck::clear(const RankMemory& memory) const {
  for (const Extent& extent : touched_) memory.clear(extent);
  memory.settle();
}

void GoalCheck::require_intact(const RankMemory& memory) const {
  for (const Extent& extent : begins_) {
    const std::optional<std::size_t> element = memory.find_damaged(pattern_, rank_, extent);
    if (!element) continue;
    throw FabricError(
        FabricFailure::corrupted, {.rank = rank_},
        fmt::format("element {} of its gradient is {} instead of {}, before anything was sent",
                    *element, memory.value_at(*element), pattern_.value(rank_, *element)));
  }
}

std::size_t GoalCheck::count_wrong(const RankMemory& memory) const {
  std::size_t wrong = 0;
  for (const Extent& extent : ends_) {
    wrong += memory.count_wrong(pattern_, extent);
  }
  return wrong;
}

}  // namespace gradwire::workers
