// Instead of this folder's other sources, the keeper excepted, where Open MPI is not there.
#include "core/error.h"
#include "harness/workers/mpi/attached_worker.h"
#include "harness/workers/mpi/mpi_worker.h"

namespace gradwire::workers {
namespace {

constexpr const char* kAbsent = "this gradwire was built without Open MPI";

}  // namespace

int run_mpi_worker() {
  throw InputError(kAbsent);
}

int run_attached_worker(const std::string&) {
  throw InputError(kAbsent);
}

}  // namespace gradwire::workers
