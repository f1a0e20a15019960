#include "harness/workers/mpi/attached_worker.h"

#include <mpi.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/workers/control.h"
#include "harness/workers/mpi/keeper.h"
#include "harness/workers/rank/worker.h"

namespace gradwire::workers {

int run_attached_worker(const std::string& path) {
  if (const auto ended = split_off_keeper()) return *ended;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    throw InputError("this MPI was built without MPI_THREAD_SERIALIZED, which a job needs");
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const FileDescriptor control = connect_control(path);
  send_message(control.get(), {Message::attached, rank});
  const int result = run_worker(control.get(), meet_over_control);
  if (result == 0) MPI_Finalize();  // otherwise somebody is missing, whom it would wait for
  return 0;                         // what went wrong was told
}

}  // namespace gradwire::workers
