#include "testbed/warden.h"

#include <cerrno>
#include <csignal>
#include <exception>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/caretaker.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/standard_streams.h"
#include "testbed/children.h"

namespace gradwire::testbed {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kLastWords = 1s;  // for what the process has left behind to end by itself
constexpr Nanoseconds kDying = 100ms;   // for the kernel to end who is killed
constexpr int kLook = 1000;             // milliseconds, where nobody is told of an end
constexpr int kMostGenerations = 100;   // of processes that keep starting others

/// A descriptor that tells of the end of a process; none where the kernel has no such descriptors.
FileDescriptor open_process(pid_t pid) {
  return FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

class Warden {
 public:
  Warden(pid_t child, pid_t starter)
      : child_(child), starter_(starter), starter_ended_(open_process(starter)) {
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGCHLD}) ::sigaddset(&signals, signal);
    checked(::sigprocmask(SIG_BLOCK, &signals, nullptr), "sigprocmask");
    signals_ =
        FileDescriptor(checked(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd"));
  }

  /// Waits until the child has ended. Returns its status.
  int wait() {
    while (!reap()) {
      pollfd polled[] = {{.fd = starter_ended_.get(), .events = POLLIN, .revents = 0},
                         {.fd = signals_.get(), .events = POLLIN, .revents = 0}};
      // Asked before each wait: it may have died before its end could be waited for.
      if (::getppid() == starter_) {
        ::poll(polled, 2, kLook);
      } else {
        kill_generations();
      }
      take_signals();
    }
    // Nobody hears the last words of a process whose starter is dead.
    if (::getppid() == starter_) end_all(own_children(), Deadline(clock_, kLastWords));
    kill_generations();
    return status_;
  }

 private:
  /// Reaps the processes that have ended. Returns whether the child is among them.
  bool reap() {
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != child_) continue;
      status_ = status;
      over_ = true;
    }
    return over_;
  }

  /// Whether it has no child left, not even an ended one that was not reaped.
  static bool is_alone() {
    return ::waitid(P_ALL, 0, nullptr, WNOHANG | WNOWAIT | WEXITED) == -1 && errno == ECHILD;
  }

  void take_signals() {
    signalfd_siginfo signal{};
    while (::read(signals_.get(), &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo != SIGTERM || over_) continue;
      ::kill(child_, asked_ ? SIGKILL : SIGTERM);
      asked_ = true;
    }
  }

  /// Kills all children. One that dies leaves its own children to this process, which finds them
  /// the next time.
  void kill_generations() {
    if (!over_) ::kill(child_, SIGKILL);  // found even where /proc does not show it
    for (int i = 0; i < kMostGenerations && !is_alone(); ++i) {
      kill_all(own_children(), Deadline(clock_, kDying));
      reap();
    }
  }

  SteadyClock clock_;
  pid_t child_;
  pid_t starter_;
  FileDescriptor starter_ended_;
  FileDescriptor signals_;
  int status_ = 0;
  bool over_ = false;
  bool asked_ = false;
};

/// Ends this process with the ending of another, given its status.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit none{};
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(WTERMSIG(status), SIG_DFL);
    sigset_t none_blocked;
    ::sigemptyset(&none_blocked);
    ::sigprocmask(SIG_SETMASK, &none_blocked, nullptr);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

[[noreturn]] void be_warden(pid_t child, pid_t starter) {
  ::prctl(PR_SET_NAME, "gw-warden");
  for (const int signal : {SIGINT, SIGHUP, SIGTSTP}) std::signal(signal, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // children whose end is ignored cannot be waited for
  // Nothing is removed while somebody here may still write it.
  drop_descriptors_except(Caretaker::connection_of_caller());
  try {
    end_as(Warden(child, starter).wait());
  } catch (const std::exception&) {
    ::_exit(1);  // the kernel kills the child
  }
}

}  // namespace

pid_t fork_below_warden(pid_t starter) {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return -1;
  const pid_t warden = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return -1;
  if (child > 0) be_warden(child, starter);
  return warden;
}

}  // namespace gradwire::testbed
