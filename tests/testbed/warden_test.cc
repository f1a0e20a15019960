#include "testbed/warden.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "testbed/process.h"
#include "tests/refused_calls.h"

namespace gradwire::testbed {
namespace {

using namespace std::chrono_literals;

/// A shell's programs that go on for long, one of them in a session of its own. They have an end of
/// a pipe, so the other end tells when all of them are gone.
class Offspring {
 public:
  explicit Offspring(std::string last) : last_(std::move(last)) {
    int ends[2] = {-1, -1};
    checked(::pipe2(ends, O_CLOEXEC), "pipe");
    read_ = FileDescriptor(ends[0]);
    write_ = FileDescriptor(ends[1]);
  }

  [[nodiscard]] ChildProcess start() const {
    return ChildProcess::start(
        {.arguments = {"/bin/sh", "-c", "sleep 1000 & setsid sleep 1000 & echo ready; " + last_},
         .output = write_.get(),
         .with_offspring = true});
  }

  /// Blocks until they run.
  void await_start() const {
    char text[6];
    pollfd ready{.fd = read_.get(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&ready, 1, 30'000), 1) << "it did not start";
    ASSERT_EQ(::read(read_.get(), text, sizeof text), 6);
  }
  [[nodiscard]] bool end() {
    write_.reset();
    pollfd ended{.fd = read_.get(), .events = 0, .revents = 0};
    return ::poll(&ended, 1, 30'000) == 1;
  }

 private:
  std::string last_;
  FileDescriptor read_;
  FileDescriptor write_;
};

TEST(Warden, EndsAllWhenTheirStarterIsKilled) {
  Offspring offspring("exec sleep 1000");
  const pid_t starter = checked(::fork(), "fork");
  if (starter == 0) {
    try {
      const ChildProcess child = offspring.start();
      for (;;) ::pause();
    } catch (const SystemError& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(1);
  }
  offspring.await_start();
  ::kill(starter, SIGKILL);
  ::waitpid(starter, nullptr, 0);
  EXPECT_TRUE(offspring.end());
}

// Its end can come before the warden asks to hear of it.
TEST(Warden, EndsAllWhenTheirStarterHasDiedBefore) {
  int ends[2] = {-1, -1};
  checked(::pipe(ends), "pipe");
  const pid_t dead = checked(::fork(), "fork");
  if (dead == 0) ::_exit(0);
  ::waitpid(dead, nullptr, 0);
  const pid_t warden = checked(::fork(), "fork");
  if (warden == 0) {
    static_cast<void>(fork_below_warden(dead));
    for (;;) ::pause();
  }
  ::close(ends[1]);
  pollfd ended{.fd = ends[0], .events = 0, .revents = 0};
  EXPECT_EQ(::poll(&ended, 1, 30'000), 1);
  ::waitpid(warden, nullptr, 0);
  ::close(ends[0]);
}

TEST(Warden, EndsAllWithTheirProgram) {
  const SteadyClock clock;
  Offspring offspring("exit 3");
  ChildProcess child = offspring.start();
  offspring.await_start();
  const auto ending = child.wait(Deadline(clock, 30s));
  ASSERT_TRUE(ending.has_value());
  EXPECT_EQ(ending->exit_code, 3);
  EXPECT_TRUE(offspring.end());
}

// It ends as its program does. One that does not end when it is asked is killed the second time.
TEST(Warden, PassesOnThatItShallEnd) {
  const SteadyClock clock;
  Offspring obedient("exec sleep 1000");
  Offspring stubborn("trap '' TERM; echo ready; while :; do sleep 1; done");
  for (Offspring* offspring : {&obedient, &stubborn}) {
    ChildProcess child = offspring->start();
    offspring->await_start();
    if (offspring == &stubborn) {
      offspring->await_start();
      child.kill(SIGTERM);
      EXPECT_FALSE(child.wait(Deadline(clock, 200ms)));
    }
    child.kill(SIGTERM);
    const auto ending = child.wait(Deadline(clock, 30s));
    ASSERT_TRUE(ending.has_value());
    EXPECT_EQ(ending->signal, offspring == &stubborn ? SIGKILL : SIGTERM);
    EXPECT_TRUE(offspring->end());
  }
}

// The same with an old kernel's calls, once without close_range alone, and where whoever starts it
// ignores how its children end.
TEST(Warden, EndsAllWhateverTheKernelRefuses) {
  const auto forked = [](const std::function<bool()>& prepare) {
    const pid_t pid = checked(::fork(), "fork");
    if (pid == 0) {
      if (!prepare()) ::_exit(2);
      ::alarm(10);
      const pid_t starter = ::getpid();
      const pid_t child = ::fork();
      if (child == 0) {
        if (fork_below_warden(starter) < 0) ::_exit(3);
        if (::fork() == 0)
          for (;;) ::pause();
        ::_exit(4);
      }
      int status = 0;
      std::signal(SIGCHLD, SIG_DFL);
      ::_exit(::waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 1);
    }
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  };
  using gradwire::testing::refusal_of_all;
  using gradwire::testing::refuse;
  EXPECT_EQ(forked([] { return true; }), 4);
  EXPECT_EQ(forked([] { return refuse(refusal_of_all(ENOSYS)); }), 4);
  EXPECT_EQ(forked([] { return refuse(refusal_of_all(EPERM)); }), 4);
  EXPECT_EQ(forked([] { return std::signal(SIGCHLD, SIG_IGN) != SIG_ERR; }), 4);
}

TEST(Warden, SaysWhenThereIsNoSuchProgram) {
  try {
    static_cast<void>(
        ChildProcess::start({.arguments = {"/nowhere/at/all"}, .with_offspring = true}));
    FAIL() << "it started";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.error_number(), ENOENT);
  }
}

}  // namespace
}  // namespace gradwire::testbed
