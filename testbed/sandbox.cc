#include "testbed/sandbox.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {
namespace {

constexpr int kNamespaces = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS;

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw SystemError("write " + path, errno);
}

/// Makes the caller root of a user namespace in which it is the only user.
void enter_user_namespace() {
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  checked(::unshare(CLONE_NEWUSER | kNamespaces),
          "create a user namespace (gradwire doctor says what forbids it)");
  write_file("/proc/self/setgroups", "deny");
  write_file("/proc/self/uid_map", fmt::format("0 {} 1", uid));
  write_file("/proc/self/gid_map", fmt::format("0 {} 1", gid));
}

void enter_namespaces_as_root() {
  checked(::unshare(kNamespaces), "create namespaces as root");
}

void enter_namespaces(const SandboxOptions& options) {
  if (options.machine_root) return enter_namespaces_as_root();
  try {
    enter_user_namespace();
  } catch (const SystemError&) {
    if (::geteuid() != 0) throw;
    enter_namespaces_as_root();  // no user namespaces here
  }
}

/// Mounts a /proc of the new pid namespace. Where that is forbidden (inside some containers) the
/// old one stays; its network settings are the reader's namespace's all the same.
void mount_proc() {
  checked(::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make mounts private");
  [[maybe_unused]] const int refused =
      ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

/// Socket pair between the sandbox's first process and the process outside that waits for it.
struct Ends {
  FileDescriptor inside;   ///< notices the end of the process outside; asks it to stop
  FileDescriptor outside;  ///< hears why body failed or was never called
};

Ends make_ends() {
  int ends[2] = {-1, -1};
  checked(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), "socketpair");
  return {.inside = FileDescriptor(ends[0]), .outside = FileDescriptor(ends[1])};
}

/// The inner end of process 1; an empty descriptor outside of sandboxes.
FileDescriptor& end_inside() {
  static FileDescriptor end;
  return end;
}

/// The /proc from before the sandbox; an empty descriptor outside of sandboxes.
FileDescriptor& proc_before() {
  static FileDescriptor folder;
  return folder;
}

constexpr char kStop = 's';
constexpr char kContinue = 'c';
constexpr char kFailed = 'f';  // followed by the message

void send(const FileDescriptor& end, const std::string& message) {
  while (::send(end.get(), message.data(), message.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

/// Receives the next message; nothing when the other end is closed.
std::optional<std::string> receive(const FileDescriptor& end) {
  std::array<char, 4096> message;
  ssize_t size = 0;
  do {
    size = ::recv(end.get(), message.data(), message.size(), 0);
  } while (size < 0 && errno == EINTR);
  if (size <= 0) return std::nullopt;
  return std::string(message.data(), static_cast<std::size_t>(size));
}

/// Has the kernel kill this process when the process outside dies. Returns whether that is still
/// alive.
bool die_with_parent(const FileDescriptor& end) {
  checked(::prctl(PR_SET_PDEATHSIG, SIGKILL), "prctl(PR_SET_PDEATHSIG)");
  // Had it died before that call, nobody would tell us. But then its end of the connection, which
  // it keeps open as long as it lives, is closed.
  pollfd closed{.fd = end.get(), .events = 0, .revents = 0};
  checked(::poll(&closed, 1, 0), "poll");
  return (closed.revents & POLLHUP) == 0;
}

/// Runs the first process of the sandbox. Never returns.
[[noreturn]] void be_first_process(const std::function<int()>& body, FileDescriptor end,
                                   const sigset_t& signals) {
  int result = 1;
  end_inside() = std::move(end);
  try {
    if (die_with_parent(end_inside())) {
      checked(::sigprocmask(SIG_UNBLOCK, &signals, nullptr), "sigprocmask");
      mount_proc();
      result = body();
    }
  } catch (const std::exception& error) {
    send(end_inside(), kFailed + std::string(error.what()).substr(0, 4000));
  } catch (...) {
    send(end_inside(), kFailed + std::string("something that is no exception was thrown"));
  }
  std::fflush(nullptr);
  ::_exit(result);
}

/// Waits for the sandbox's first process, forwards signals to it, and stops when it asks.
class Waiting {
 public:
  Waiting(pid_t child, FileDescriptor end, const sigset_t& signals)
      : child_(child),
        end_(std::move(end)),
        signals_(checked(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd")) {}

  Ending wait() {
    while (true) {
      int status = 0;
      const pid_t ended = ::waitpid(child_, &status, WNOHANG);
      if (ended < 0 && errno != EINTR) throw SystemError("waitpid", errno);
      if (ended == child_) {
        while (take_message()) {
        }
        if (failure_) throw std::runtime_error(*failure_);
        if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
        return {.exit_code = WEXITSTATUS(status)};
      }
      wait_for_news();
    }
  }

 private:
  void wait_for_news() {
    constexpr int kLook = 1000;  // milliseconds, should a signal not come
    pollfd polled[] = {{.fd = signals_.get(), .events = POLLIN, .revents = 0},
                       {.fd = over_ ? -1 : end_.get(), .events = POLLIN, .revents = 0}};
    if (::poll(polled, 2, kLook) < 0 && errno != EINTR) throw SystemError("poll", errno);
    if (polled[1].revents != 0) over_ = !take_message();
    signalfd_siginfo signal{};
    while (::read(signals_.get(), &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo != SIGCHLD) ::kill(child_, static_cast<int>(signal.ssi_signo));
    }
  }

  /// Takes a message of the first process; false at their end.
  bool take_message() {
    const std::optional<std::string> message = receive(end_);
    if (!message) return false;
    if (message->front() == kFailed) failure_ = message->substr(1);
    if (message->front() == kStop) {
      ::raise(SIGSTOP);
      send(end_, std::string(1, kContinue));
    }
    return true;
  }

  pid_t child_;
  FileDescriptor end_;
  FileDescriptor signals_;
  bool over_ = false;
  std::optional<std::string> failure_;
};

}  // namespace

Ending run_in_sandbox(const std::function<int()>& body, const SandboxOptions& options) {
  std::fflush(nullptr);
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCHLD}) {
    ::sigaddset(&signals, signal);
  }
  checked(::sigprocmask(SIG_BLOCK, &signals, nullptr), "sigprocmask");
  proc_before() = FileDescriptor(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  enter_namespaces(options);
  Ends ends = make_ends();
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    ends.outside.reset();
    be_first_process(body, std::move(ends.inside), signals);
  }
  ends.inside.reset();
  return Waiting(child, std::move(ends.outside), signals).wait();
}

int machine_proc() {
  return proc_before().get();
}

void stop_until_continued() {
  if (!end_inside()) {
    ::raise(SIGSTOP);
    return;
  }
  send(end_inside(), std::string(1, kStop));
  static_cast<void>(receive(end_inside()));
}

bool works_in_sandbox(const std::function<void()>& body, const SandboxOptions& options) {
  std::fflush(nullptr);  // or the child would write what the caller has buffered once more
  const pid_t pid = checked(::fork(), "fork");
  if (pid == 0) {
    int result = 1;
    try {
      const Ending ending = run_in_sandbox(
          [&body] {
            body();
            return 0;
          },
          options);
      result = !ending.signal && ending.exit_code == 0 ? 0 : 1;
    } catch (...) {
    }
    ::_exit(result);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) throw SystemError("waitpid", errno);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace gradwire::testbed
