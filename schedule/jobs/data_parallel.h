#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "schedule/jobs/job.h"
#include "schedule/policy.h"
#include "workloads/profile.h"

namespace gradwire::jobs {

/// The job of data-parallel training that experiments with computing run: all ranks run one
/// program.
///
///     stream 0   forward │ backward of layer L │ ... │ backward of layer 1
///     stream 1                                 bucket 0 │ bucket 1 │ ...      all-reduces, in order
///
/// A bucket comes after the layer whose gradient fills it or, without overlap, after the last one,
/// and waits for its `not_before`. If it has to wait, a node that takes no time, on a stream of its
/// own, makes it wait. Buckets' elements are those of their layers. Throws InternalError when the
/// buckets do not tile the layers. Requires at least one rank.
[[nodiscard]] Job data_parallel(const workloads::Profile& profile,
                                const schedule::Schedule& schedule, std::size_t ranks,
                                Dtype dtype = Dtype::float32);

}  // namespace gradwire::jobs
