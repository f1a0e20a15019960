#pragma once

#include <span>

#include "core/units.h"
#include "results/record/rank_iteration.h"

namespace gradwire::run {

/// Time by which the first rank of an iteration began before the last; of a training job the sum
/// over its buckets. GST runs from the last rank's start, so bytes may have moved for so long
/// before it. Never more than a bucket's bound, which is not below 0 without it. `bounds` are by
/// bucket, undilated; without computing there is one. Wall time, as the ranks'. Requires a rank.
[[nodiscard]] Nanoseconds head_start(std::span<const record::RankIteration> ranks,
                                     std::span<const Seconds> bounds, double dilation);

}  // namespace gradwire::run
