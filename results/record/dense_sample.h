#pragma once

#include <span>

#include "results/record/rank_iteration.h"
#include "results/record/sample.h"

namespace gradwire::record {

/// What the ranks of a job of fully connected layers say of an iteration, put together: the longest
/// time of products, and the largest deviation if every rank that verified its average says one.
[[nodiscard]] DenseSample dense_sample(std::span<const RankIteration> ranks);

}  // namespace gradwire::record
