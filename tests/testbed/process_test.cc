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

// A program that is not there is the user's mistake; a host that cannot be entered is not.
TEST(ChildProcess, TellsAMissingProgramFromAHostThatCannotBeEntered) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              const NetNamespace space = NetNamespace::create();
              const auto fails_to_execute = [&space](const char* program, const char* hosts) {
                try {
                  static_cast<void>(ChildProcess::start(
                      {.arguments = {program}, .namespace_fd = space.fd(), .hosts_file = hosts}));
                } catch (const CannotExecute&) {
                  return true;
                } catch (const SystemError&) {
                }
                return false;
              };
              if (!fails_to_execute("/nowhere/at/all", "")) return 1;
              return fails_to_execute("/bin/true", "/nowhere/hosts") ? 2 : 0;
            }),
            0);
}

// It sees its host's name and /etc/hosts, and nobody else does.
TEST(ChildProcess, SeesTheHostThatItIsIn) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              const SteadyClock clock;
              const NetNamespace space = NetNamespace::create();
              const auto ends_with = [&](const char* script) {
                ChildProcess child = ChildProcess::start({.arguments = {"/bin/sh", "-c", script},
                                                          .namespace_fd = space.fd(),
                                                          .hostname = "h7",
                                                          .hosts_file = "/etc/passwd"});
                const auto ending = child.wait(Deadline(clock, 5s));
                return ending ? ending->exit_code : 99;
              };
              if (ends_with("test \"$(hostname)\" = h7") != 0) return 1;
              if (ends_with("cmp -s /etc/hosts /etc/passwd") != 0) return 2;
              ChildProcess outside = ChildProcess::start(
                  {.arguments = {"/bin/sh", "-c",
                                 "test $(hostname) = h7 || cmp -s /etc/hosts /etc/passwd"}});
              const auto ending = outside.wait(Deadline(clock, 5s));
              return ending && ending->exit_code == 1 ? 0 : 3;
            }),
            0);
}

// What this process ignores, a program may be told to ignore no more.
TEST(ChildProcess, MayHaveDefaultSignals) {
  SKIP_WITHOUT_SANDBOX();
  EXPECT_EQ(testing::in_sandbox([] {
              const SteadyClock clock;
              std::signal(SIGPIPE, SIG_IGN);
              const auto ending_of = [&clock](bool default_signals) {
                ChildProcess child =
                    ChildProcess::start({.arguments = {"/bin/sh", "-c", "kill -PIPE $$; exit 3"},
                                         .default_signals = default_signals});
                return child.wait(Deadline(clock, 5s));
              };
              const auto ignoring = ending_of(false);
              const auto heeding = ending_of(true);
              if (!ignoring || ignoring->exit_code != 3) return 1;
              return heeding && heeding->signal == SIGPIPE ? 0 : 2;
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
