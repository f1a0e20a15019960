#pragma once

#include <memory>
#include <span>

#include "core/extent.h"
#include "core/id.h"
#include "core/units.h"
#include "peers/all_reduce.h"

namespace gradwire::peers::mpi {

/// MPI_Allreduce among all processes of MPI_COMM_WORLD, whose rank there is `self`; which algorithm
/// it runs is decided where the process is started (peers/mpi/algorithm.h). MPI must be
/// initialized, for as long as the result lives, with MPI_THREAD_SERIALIZED at least: no other
/// thread uses MPI during a sum. MPI connects ranks when they first exchange something, and waits
/// without a deadline: whoever started the processes ends them. `gradient` must outlive the result.
/// Collective. Throws InternalError when the process is no MPI process, or has another rank.
[[nodiscard]] std::unique_ptr<AllReduce> connect(std::span<float> gradient,
                                                 std::span<const Extent> extents, Rank self);

}  // namespace gradwire::peers::mpi
