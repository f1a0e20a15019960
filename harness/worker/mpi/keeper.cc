#include "harness/worker/mpi/keeper.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>

#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "testbed/process.h"

namespace gradwire::harness {
namespace {

constexpr std::string_view kPrefix = "gradwire: rank ";

/// As the launcher says before there is MPI: Open MPI's mpirun, then any through PMIx, then Slurm.
Rank rank_from_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* text = std::getenv(name)) {
      return Rank(static_cast<std::size_t>(std::strtoul(text, nullptr, 10)));
    }
  }
  throw InputError("a worker with --mpi is started by mpirun or srun, not by hand");
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
  const pid_t parent = ::getpid();
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    checked(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl(PR_SET_PDEATHSIG)");
    if (::getppid() != parent) ::_exit(1);
    return std::nullopt;
  }
  std::signal(SIGINT, SIG_IGN);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw SystemError("waitpid", errno);
  }
  const testbed::Ending ending = WIFSIGNALED(status)
                                     ? testbed::Ending{.signal = WTERMSIG(status)}
                                     : testbed::Ending{.exit_code = WEXITSTATUS(status)};
  if (!ending.signal && ending.exit_code == 0) return 0;
  const std::string line = keeper_line(rank, to_string(ending)) + "\n";
  [[maybe_unused]] const auto told = ::write(STDERR_FILENO, line.data(), line.size());
  for (;;) ::pause();
}

}  // namespace gradwire::harness
