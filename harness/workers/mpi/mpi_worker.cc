#include "harness/workers/mpi/mpi_worker.h"

#include <csignal>
#include <exception>
#include <future>
#include <optional>
#include <utility>

#include <mpi.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "harness/workers/control.h"
#include "harness/workers/mpi/keeper.h"
#include "harness/workers/mpi/mpi_channel.h"
#include "harness/workers/mpi/mpi_meeting.h"
#include "harness/workers/mpi/relay.h"
#include "harness/workers/rank/worker.h"

namespace gradwire::workers {
namespace {

/// Takes standard input and output for the harness; what anything else prints goes to standard
/// error.
Relay::Lines take_streams() {
  Relay::Lines lines{.in = FileDescriptor(checked(::dup(STDIN_FILENO), "dup")),
                     .out = FileDescriptor(checked(::dup(STDOUT_FILENO), "dup"))};
  checked(::dup2(STDERR_FILENO, STDOUT_FILENO), "dup2");
  return lines;
}

void initialize() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    throw InputError("this MPI was built without MPI_THREAD_MULTIPLE, which gradwire needs");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

/// Whether all ranks stopped in good order.
bool serve(Relay::Lines lines) {
  initialize();
  MpiChannel messages;
  MpiChannel meetings;
  const SteadyClock clock;
  ControlPair pair = make_control_pair();
  const bool root = messages.self() == Rank(0);
  Relay relay(messages, pair.ours.get(), root ? std::optional(std::move(lines)) : std::nullopt,
              clock);
  auto relayed = std::async(std::launch::async, [&] {
    try {
      return relay.run();
    } catch (...) {
      ::shutdown(pair.ours.get(), SHUT_RDWR);  // the worker has nobody to speak to any more
      throw;
    }
  });
  const int result = run_worker(pair.theirs.get(), [&](const WorkerEnds& ends) {
    return std::make_unique<MpiMeeting>(meetings, ends.control, ends.cancellation);
  });
  pair.theirs.reset();  // the relay reads to the end
  return relayed.get() && result == 0;
}

}  // namespace

int run_mpi_worker() {
  if (const auto ended = split_off_keeper()) return *ended;
  std::signal(SIGTERM, SIG_IGN);  // comes with the end of the lines, which leaves time for a word
  if (serve(take_streams())) MPI_Finalize();
  return 0;  // what went wrong was told over the relay
}

}  // namespace gradwire::workers
