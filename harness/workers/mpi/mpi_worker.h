#pragma once

namespace gradwire::workers {

/// The life of one rank that mpirun has started: as run_worker, its messages carried over MPI. The
/// first thing a process does: it forks, and the parent stays behind to say how the child ended
/// (harness/workers/mpi/keeper.h). Returns the exit code, in the child and in the parent.
[[nodiscard]] int run_mpi_worker();

}  // namespace gradwire::workers
