#pragma once

#include <string>

namespace gradwire::workers {

/// The life of one rank that mpirun has started on the harness's machine: as run_worker, over a
/// control connection of its own to the socket at `path`, so that MPI is left to what is measured.
/// The first thing a process does: it forks, and the parent stays behind to say how the child ended
/// (harness/workers/mpi/keeper.h). Returns the exit code, in the child and in the parent. Throws
/// SystemError.
[[nodiscard]] int run_attached_worker(const std::string& path);

}  // namespace gradwire::workers
