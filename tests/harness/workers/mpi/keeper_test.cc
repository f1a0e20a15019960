#include "harness/workers/mpi/keeper.h"

#include <array>
#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::workers {
namespace {

/// A launcher's daemon that starts a worker with a keeper; the worker does `work`. All of them hold
/// the other end of `held()`, which ends with the last of them.
class Launched {
 public:
  explicit Launched(void (*work)()) {
    std::array<int, 2> ends{};
    checked(::pipe(ends.data()), "pipe");
    daemon_ = checked(::fork(), "fork");
    if (daemon_ == 0) run_daemon(work, ends[1]);
    ::close(ends[1]);
    held_ = ends[0];
    EXPECT_EQ(::read(held_, &keeper_, sizeof keeper_), ssize_t{sizeof keeper_});
  }
  ~Launched() {
    ::kill(keeper_, SIGKILL);  // the worker goes with it
    kill_daemon();
    ::close(held_);
  }

  void kill_daemon() {
    if (daemon_ > 0) {
      ::kill(daemon_, SIGKILL);
      ::waitpid(daemon_, nullptr, 0);
    }
    daemon_ = -1;
  }
  /// Whether keeper and worker are gone within seconds.
  [[nodiscard]] bool are_gone() const {
    pollfd polled{.fd = held_, .events = POLLIN, .revents = 0};
    return ::poll(&polled, 1, 10'000) == 1;
  }

 private:
  [[noreturn]] static void run_daemon(void (*work)(), int held) {
    if (::fork() == 0) {
      ::setenv("OMPI_COMM_WORLD_RANK", "3", 1);
      ::close(STDERR_FILENO);
      const auto ended = split_off_keeper();
      if (ended) ::_exit(*ended);
      const pid_t mine = ::getppid();
      if (::write(held, &mine, sizeof mine) == sizeof mine) work();
      ::_exit(7);
    }
    for (;;) ::pause();
  }

  pid_t daemon_ = -1;
  pid_t keeper_ = -1;
  int held_ = -1;
};

TEST(Keeper, DoesNotOutliveItsLauncher) {
  Launched launched([] { ::pause(); });
  launched.kill_daemon();
  EXPECT_TRUE(launched.are_gone());
}

TEST(Keeper, DoesNotOutliveItsLauncherAfterItsWorker) {
  Launched launched([] {});  // fails at once; the keeper stays to be killed
  launched.kill_daemon();
  EXPECT_TRUE(launched.are_gone());
}

}  // namespace
}  // namespace gradwire::workers
