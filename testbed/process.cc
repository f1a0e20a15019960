#include "testbed/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/error.h"
#include "core/pipe.h"
#include "testbed/capabilities.h"
#include "testbed/host_view.h"
#include "testbed/warden.h"

namespace gradwire::testbed {
namespace {

constexpr int kControl = 3;

/// Makes `fd` the descriptor `as` of the program. Async-signal-safe.
bool hand_over(int fd, int as) noexcept {
  if (fd == as) return ::fcntl(fd, F_SETFD, 0) == 0;
  return ::dup2(fd, as) >= 0;
}

/// Raises the limit of locked memory, as RDMA locks the memory that it transfers and without
/// capabilities only the limit decides. For root of the machine there is no limit afterwards;
/// otherwise it is as high as allowed.
void raise_locked_memory() noexcept {
  const rlimit all{.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
  rlimit allowed{};
  if (::setrlimit(RLIMIT_MEMLOCK, &all) == 0 || ::getrlimit(RLIMIT_MEMLOCK, &allowed) != 0) return;
  allowed.rlim_cur = allowed.rlim_max;
  ::setrlimit(RLIMIT_MEMLOCK, &allowed);
}

/// Resets the signals to the defaults of a program that nobody prepared. Async-signal-safe.
void reset_signals() noexcept {
  for (const int signal : {SIGTSTP, SIGPIPE, SIGXFSZ}) ::signal(signal, SIG_DFL);
}

/// Makes the caller the foreground of its terminal, in a group of its own. Async-signal-safe.
bool take_terminal() noexcept {
  if (::setpgid(0, 0) != 0) return false;
  const auto before = ::signal(SIGTTOU, SIG_IGN);  // else it would stop: it is no foreground yet
  const bool taken = ::tcsetpgrp(STDIN_FILENO, ::getpid()) == 0;
  ::signal(SIGTTOU, before);
  return taken;
}

/// Gives the caller the streams of the program. Async-signal-safe.
bool take_streams(const ChildProcess::Options& options) noexcept {
  const int input = options.input >= 0 ? options.input : ::open("/dev/null", O_RDONLY);
  if (input < 0 || !hand_over(input, STDIN_FILENO)) return false;
  if (options.output >= 0 && !hand_over(options.output, STDOUT_FILENO)) return false;
  if (options.errors >= 0 && !hand_over(options.errors, STDERR_FILENO)) return false;
  return options.control < 0 || hand_over(options.control, kControl);
}

/// Moves the caller into the program's host, if it has one. Async-signal-safe.
bool enter_host_of(const ChildProcess::Options& options) noexcept {
  if (options.namespace_fd < 0) return true;
  return enter_host(
      {.namespace_fd = options.namespace_fd,
       .name = options.hostname.empty() ? nullptr : options.hostname.c_str(),
       .hosts_file = options.hosts_file.empty() ? nullptr : options.hosts_file.c_str()});
}

/// Message of a child that cannot become the program.
struct Refusal {
  int error = 0;  ///< an errno
  bool executing = false;
};

/// Turns the child into the program, between fork and exec, by async-signal-safe calls only.
/// Returns when one fails, with errno set.
Refusal become(const ChildProcess::Options& options, char* const* argv, char* const* environment,
               pid_t parent) noexcept {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return {.error = errno};
  if (::getppid() != parent) ::_exit(1);  // it died before we asked to be told
  ::signal(SIGTSTP, SIG_IGN);  // the terminal's Ctrl-Z is for the caller, who chooses the moment
  if (!enter_host_of(options) || !take_streams(options)) return {.error = errno};
  raise_locked_memory();
  if (!options.keeps_capabilities && !drop_all_capabilities()) return {.error = errno};
  if (options.takes_terminal && !take_terminal()) return {.error = errno};
  if (options.default_signals) reset_signals();
  ::execvpe(argv[0], argv, environment);
  return {.error = errno, .executing = true};
}

/// Reads why the child cannot become the program; no error once it has.
Refusal refusal_from(int pipe) {
  Refusal refusal;
  ssize_t got = 0;
  do {
    got = ::read(pipe, &refusal, sizeof refusal);
  } while (got < 0 && errno == EINTR);
  return got == sizeof refusal ? refusal : Refusal{};
}

/// Pointers to the strings, with a null pointer at the end.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (const std::string& string : strings) all.push_back(const_cast<char*>(string.c_str()));
  all.push_back(nullptr);
  return all;
}

/// The caller's environment with `more`, which replaces variables of the same names.
std::vector<char*> environment_with(const std::vector<std::string>& more) {
  std::vector<char*> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view name(*variable, std::string_view(*variable).find('=') + 1);
    const bool replaced = std::ranges::any_of(
        more, [name](const std::string& other) { return other.starts_with(name); });
    if (!replaced) all.push_back(*variable);
  }
  const std::vector<char*> added = pointers(more);
  all.insert(all.end(), added.begin(), added.end());
  return all;
}

}  // namespace

std::string to_string(const Ending& ending) {
  if (!ending.signal) return fmt::format("exited with {}", ending.exit_code);
  return fmt::format("was killed by signal {} ({})", *ending.signal, ::strsignal(*ending.signal));
}

ChildProcess::ChildProcess(pid_t pid, FileDescriptor pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      ending_(other.ending_) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0 || ending_) return;
  kill();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

ChildProcess ChildProcess::start(const Options& options) {
  ensure(!options.arguments.empty(), "there is a program to start");
  const std::vector<char*> argv = pointers(options.arguments);
  const std::vector<char*> environment = environment_with(options.environment);
  Pipe refusals = make_pipe();
  // Above the descriptor that the program gets, so that it is not overwritten.
  FileDescriptor failed(
      checked(::fcntl(refusals.write.get(), F_DUPFD_CLOEXEC, kControl + 1), "fcntl"));
  refusals.write.reset();

  const pid_t parent = ::getpid();
  const pid_t pid = checked(::fork(), "fork");
  if (pid == 0) {
    const pid_t starter = options.with_offspring ? fork_below_warden(parent) : parent;
    const Refusal refusal = starter > 0 ? become(options, argv.data(), environment.data(), starter)
                                        : Refusal{.error = errno};
    [[maybe_unused]] const auto told = ::write(failed.get(), &refusal, sizeof refusal);
    ::_exit(127);
  }
  failed.reset();
  FileDescriptor pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ChildProcess child(pid, std::move(pidfd));
  if (!child.pidfd_) throw SystemError("pidfd_open", errno);
  const Refusal refusal = refusal_from(refusals.read.get());
  const std::string& program = options.arguments.front();
  if (refusal.executing) throw CannotExecute("start " + program, refusal.error);
  if (refusal.error != 0) throw SystemError("prepare a process for " + program, refusal.error);
  return child;
}

std::optional<Ending> ChildProcess::wait(const Deadline& deadline) {
  while (!ending_) {
    pollfd ended{.fd = pidfd_.get(), .events = POLLIN, .revents = 0};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left());
    const int ready =
        ::poll(&ended, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1 << 30)));
    if (ready < 0 && errno != EINTR) throw SystemError("poll", errno);
    if (ready > 0) {
      int status = 0;
      checked(::waitpid(pid_, &status, 0), "waitpid");
      ending_ = WIFSIGNALED(status) ? Ending{.signal = WTERMSIG(status)}
                                    : Ending{.exit_code = WEXITSTATUS(status)};
    } else if (deadline.passed()) {
      return std::nullopt;
    }
  }
  return ending_;
}

std::optional<int> ChildProcess::stopped_by() const {
  if (ending_) return std::nullopt;
  siginfo_t news{};
  // Leaves the news there for the next time.
  const int how = WSTOPPED | WNOHANG | WNOWAIT;
  if (::waitid(P_PID, static_cast<id_t>(pid_), &news, how) != 0 || news.si_pid == 0) {
    return std::nullopt;
  }
  return news.si_status;
}

void ChildProcess::kill(int signal) noexcept {
  if (pid_ > 0 && !ending_) ::kill(pid_, signal);
}

}  // namespace gradwire::testbed
