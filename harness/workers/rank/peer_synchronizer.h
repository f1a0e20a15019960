#pragma once

#include <memory>
#include <span>

#include "collectives/algorithms/amount.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/synchronizer.h"
#include "transport/device/device.h"

namespace gradwire::workers {

/// Connects this rank through the library that the job's algorithm names (collectives/peers/), which notes no
/// transfers. As make_synchronizer; requires that the algorithm is a peer.
[[nodiscard]] std::unique_ptr<Synchronizer> make_peer_synchronizer(
    const Job& job, std::span<const algorithms::BucketAmount> buckets, std::span<float> gradient,
    const WorkerContext& context);
/// Connects this rank through the library for a gradient in the memory of a device, of which it is
/// given a copy on the host (collectives/peers/staged.h). Throws DeviceError, too.
[[nodiscard]] std::unique_ptr<Synchronizer> make_peer_synchronizer(
    const Job& job, std::span<const algorithms::BucketAmount> buckets,
    const transport::device::DeviceGradient& gradient, const WorkerContext& context);

}  // namespace gradwire::workers
