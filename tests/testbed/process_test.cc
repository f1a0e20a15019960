#include "testbed/process.h"

#include <csignal>
#include <optional>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "testbed/net_namespace.h"
#include "tests/testbed/in_sandbox.h"

namespace gradwire::testbed {
namespace {

using namespace std::chrono_literals;

/// Starts a program in a namespace of its own, inside the sandbox.
ChildProcess start(std::vector<std::string> arguments) {
  const NetNamespace space = NetNamespace::create();
  return ChildProcess::start(
      {.arguments = std::move(arguments), .namespace_fd = space.fd(), .control = 2});
}

TEST(ChildProcess, ReportsItsExitCode) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              const SteadyClock clock;
              ChildProcess child = start({"/bin/false"});
              const auto ending = child.wait(Deadline(clock, 5s));
              return ending && ending->exit_code == 1 && !ending->signal ? 0 : 1;
            }),
            0);
}

TEST(ChildProcess, ReportsTheSignalThatKilledIt) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              const SteadyClock clock;
              ChildProcess child = start({"/bin/sleep", "60"});
              if (child.wait(Deadline(clock, 20ms))) return 1;  // the deadline passes first
              child.kill();
              const auto ending = child.wait(Deadline(clock, 5s));
              return ending && ending->signal == SIGKILL ? 0 : 2;
            }),
            0);
}

TEST(ChildProcess, KnowsTheSignalThatHasStoppedItAsLongAsItIsStopped) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              ChildProcess child = start({"/bin/sleep", "60"});
              const auto becomes = [&child](std::optional<int> signal) {
                for (int i = 0; i < 5000 && child.stopped_by() != signal; ++i) ::usleep(1000);
                return child.stopped_by() == signal;
              };
              if (child.stopped_by()) return 1;
              child.kill(SIGSTOP);
              if (!becomes(SIGSTOP)) return 2;
              if (!becomes(SIGSTOP)) return 3;  // asking does not use it up
              child.kill(SIGCONT);
              return becomes(std::nullopt) ? 0 : 4;
            }),
            0);
}

TEST(ChildProcess, SaysWhenThereIsNoSuchProgram) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              try {
                start({"/nowhere/at/all"});
              } catch (const SystemError& error) {
                return error.error_number() == ENOENT ? 0 : 1;
              }
              return 2;
            }),
            0);
}

// grep finds an empty effective set: it would find nothing if a capability were left.
TEST(ChildProcess, HasNoCapabilities) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              const SteadyClock clock;
              ChildProcess child =
                  start({"/bin/grep", "-q", "^CapEff:\t0000000000000000$", "/proc/self/status"});
              const auto ending = child.wait(Deadline(clock, 5s));
              return ending ? ending->exit_code : 1;
            }),
            0);
}

}  // namespace
}  // namespace gradwire::testbed
