#include "harness/workers/mpi/keeper.h"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/memory_kills.h"
#include "testbed/process.h"

namespace gradwire::workers {
namespace {

constexpr std::string_view kPrefix = "gradwire: rank ";
constexpr std::chrono::milliseconds kLook{1000};  // how late the end of its starter may be noticed

/// Rank by the launcher, before there is MPI: Open MPI's mpirun, then any through PMIx, then Slurm.
Rank rank_from_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* text = std::getenv(name)) {
      return Rank(static_cast<std::size_t>(std::strtoul(text, nullptr, 10)));
    }
  }
  throw InputError("a worker with --mpi is started by mpirun or srun, not by hand");
}

/// Ends the process, and with it the child, when whoever started it is gone: nobody is left to end
/// it or to hear of it. (PR_SET_PDEATHSIG would follow the thread that started it.)
void exit_without(pid_t starter) {
  if (::getppid() != starter) ::_exit(1);
}

/// Blocks until the child has ended. Its status.
int await_end(pid_t child, pid_t starter) {
  // Without one (Linux before 5.3) its end is noticed as late as that of the starter.
  const FileDescriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  for (;;) {
    exit_without(starter);
    int status = 0;
    if (checked(::waitpid(child, &status, WNOHANG), "waitpid") == child) return status;
    pollfd polled{.fd = ended.get(), .events = POLLIN, .revents = 0};
    ::poll(&polled, 1, static_cast<int>(kLook.count()));
  }
}

}  // namespace

std::string keeper_line(Rank rank, const std::string& ending) {
  return fmt::format("{}{} {}", kPrefix, rank.index(), ending);
}

std::optional<KeptEnding> parse_keeper_line(std::string_view line) {
  const std::size_t at = line.find(kPrefix);  // launchers may put something before it
  if (at == std::string_view::npos) return std::nullopt;
  line.remove_prefix(at + kPrefix.size());
  std::size_t rank = 0;
  const char* const end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data(), end, rank);
  if (error != std::errc() || end - rest < 2 || *rest != ' ') return std::nullopt;
  return KeptEnding{.rank = Rank(rank), .ending = std::string(rest + 1, end)};
}

std::optional<int> split_off_keeper() {
  const Rank rank = rank_from_environment();
  const pid_t starter = ::getppid();
  const pid_t parent = ::getpid();
  const testbed::MemoryKills memory_kills;
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    checked(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl(PR_SET_PDEATHSIG)");
    if (::getppid() != parent) ::_exit(1);
    return std::nullopt;
  }
  std::signal(SIGINT, SIG_IGN);
  const int status = await_end(child, starter);
  const testbed::Ending ending = WIFSIGNALED(status)
                                     ? testbed::Ending{.signal = WTERMSIG(status)}
                                     : testbed::Ending{.exit_code = WEXITSTATUS(status)};
  if (!ending.signal && ending.exit_code == 0) return 0;
  const std::string line = keeper_line(rank, memory_kills.explain(ending)) + "\n";
  [[maybe_unused]] const auto told = ::write(STDERR_FILENO, line.data(), line.size());
  for (;;) {
    exit_without(starter);
    std::this_thread::sleep_for(kLook);
  }
}

}  // namespace gradwire::workers
