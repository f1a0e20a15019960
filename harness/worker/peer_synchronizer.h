#pragma once

#include <memory>
#include <span>

#include "harness/amount.h"
#include "harness/job.h"
#include "harness/worker/assignment.h"
#include "harness/worker/synchronizer.h"

namespace gradwire::harness {

/// Connects this rank through the library that the job's algorithm names (peers/), which notes no
/// transfers. As make_synchronizer; requires that the algorithm is a peer.
[[nodiscard]] std::unique_ptr<Synchronizer> make_peer_synchronizer(
    const Job& job, std::span<const BucketAmount> buckets, std::span<float> gradient,
    const WorkerContext& context);

}  // namespace gradwire::harness
