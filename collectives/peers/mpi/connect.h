#pragma once

#include <memory>
#include <span>

#include "collectives/peers/collective.h"
#include "core/extent.h"
#include "core/id.h"
#include "core/units.h"

namespace gradwire::peers::mpi {

/// Makes a collective of MPI among all processes of MPI_COMM_WORLD, whose rank there is `self`:
/// MPI_Allreduce, MPI_Reduce_scatter, MPI_Allgatherv, MPI_Alltoallv, MPI_Bcast or MPI_Reduce. The
/// algorithm of MPI_Allreduce is decided when the process is started
/// (collectives/peers/mpi/algorithm.h). MPI must be initialized, for as long as the result lives,
/// with MPI_THREAD_SERIALIZED at least: no other thread uses MPI meanwhile. MPI connects ranks when
/// they first exchange something, and waits without a deadline: the starter of the processes ends
/// them. `gradient` must outlive the result, which keeps as much memory as a rank gets in a
/// reduce-scatter or all-to-all. Collective. Throws InternalError when the process is no MPI
/// process, or has another rank.
[[nodiscard]] std::unique_ptr<Collective> connect(std::span<float> gradient,
                                                  std::span<const Extent> extents, What what,
                                                  Rank self);

}  // namespace gradwire::peers::mpi
