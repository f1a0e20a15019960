#include "core/signals.h"

#include <csignal>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire {
namespace {

/// The disposition of a signal.
sighandler_t disposition(int signal) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

/// Whether a child's end is told, no write is answered by a signal, and nothing is blocked.
bool is_set() {
  sigset_t blocked;
  ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
  return disposition(SIGCHLD) == SIG_DFL && disposition(SIGPIPE) == SIG_IGN &&
         disposition(SIGXFSZ) == SIG_IGN && ::sigisemptyset(&blocked) == 1;
}

TEST(Signals, AreSetWhateverTheStarterLeft) {
  const pid_t pid = checked(::fork(), "fork");
  if (pid == 0) {
    std::signal(SIGCHLD, SIG_IGN);
    std::signal(SIGPIPE, SIG_DFL);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, nullptr);
    const bool before = is_set();
    set_signals();
    ::_exit(!before && is_set() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gradwire
