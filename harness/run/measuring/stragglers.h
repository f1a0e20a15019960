#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "core/units.h"
#include "results/record/rank_iteration.h"

namespace gradwire::run {

/// A process that stood still for less does not count: a busy machine does that to anybody.
inline constexpr Nanoseconds kNoticeable = std::chrono::milliseconds(100);

/// The ranks that made an iteration longer by standing still: for at least kNoticeable, twice as
/// long as the median rank, and with the iteration at least half of that above what was `expected`
/// of it. When all stand still, that is the machine. `ranks` are by rank.
[[nodiscard]] std::vector<Rank> stragglers(std::span<const record::RankIteration> ranks,
                                           Seconds expected);

}  // namespace gradwire::run
