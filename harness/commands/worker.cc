#include "harness/commands/worker.h"

#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <sys/socket.h>

#include "core/error.h"
#include "harness/workers/mpi/attached_worker.h"
#include "harness/workers/mpi/mpi_worker.h"
#include "harness/workers/rank/worker.h"

namespace gradwire::commands {
namespace {

constexpr int kControl = 3;

}  // namespace

void add_worker_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("worker", "One rank; started by the harness");
  command->group("");  // hidden
  auto over_mpi = std::make_shared<bool>(false);
  command->add_flag("--mpi", *over_mpi, "started by mpirun, whose MPI carries the messages");
  auto path = std::make_shared<std::string>();
  command->add_option("--attach", *path, "started by mpirun; where the harness listens");
  command->callback([over_mpi, path, &exit_code] {
    if (*over_mpi) {
      exit_code = workers::run_mpi_worker();
      return;
    }
    if (!path->empty()) {
      exit_code = workers::run_attached_worker(*path);
      return;
    }
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(kControl, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
      throw InputError("a worker is started by 'gradwire run', not by hand");
    }
    exit_code = workers::run_worker(kControl, workers::meet_over_control);
  });
}

}  // namespace gradwire::commands
