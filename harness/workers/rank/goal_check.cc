#include "harness/workers/rank/goal_check.h"

#include <algorithm>
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

void GoalCheck::fill(const Elements& memory) const {
  if (begins_ != touched_) clear(memory);
  for (const Extent& extent : begins_) {
    pattern_.fill(memory.part(extent), rank_, extent.first);
  }
}

void GoalCheck::clear(const Elements& memory) const {
  for (const Extent& extent : touched_) std::ranges::fill(memory.bytes(extent), std::byte{0});
}

void GoalCheck::require_intact(const Elements& memory) const {
  for (const Extent& extent : begins_) {
    const Elements part = memory.part(extent);
    const std::optional<std::size_t> element = pattern_.find_damaged(part, rank_, extent.first);
    if (!element) continue;
    throw FabricError(
        FabricFailure::corrupted, {.rank = rank_},
        fmt::format("element {} of its gradient is {} instead of {}, before anything was sent",
                    *element, value_at(memory, *element), pattern_.value(rank_, *element)));
  }
}

std::size_t GoalCheck::count_wrong(const Elements& memory) const {
  std::size_t wrong = 0;
  for (const Extent& extent : ends_) {
    wrong += pattern_.count_wrong(memory.part(extent), extent.first);
  }
  return wrong;
}

}  // namespace gradwire::workers
