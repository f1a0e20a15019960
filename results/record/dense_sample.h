#pragma once

#include <span>

#include "results/record/rank_iteration.h"
#include "results/record/sample.h"

namespace gradwire::record {

/// Combines the ranks' shares of an iteration of fully connected layers: the longest time of
/// products, and the largest deviation if every rank that verified its average gives one.
[[nodiscard]] DenseSample dense_sample(std::span<const RankIteration> ranks);

}  // namespace gradwire::record
