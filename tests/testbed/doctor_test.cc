#include "testbed/doctor.h"

#include <algorithm>
#include <csignal>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "testbed/sandbox.h"
#include "tests/testbed/in_sandbox.h"

namespace gradwire::testbed {
namespace {

// Where a sandbox works the doctor says so, and whatever is not ok comes with a remedy.
TEST(Doctor, AgreesWithTheKernel) {
  const bool works = testing::in_sandbox([] { return 0; }) == 0;
  const std::vector<Check> checks = examine();
  ASSERT_FALSE(checks.empty());
  EXPECT_EQ(checks.front().state == Check::State::ok, works);
  for (const Check& check : checks) {
    EXPECT_FALSE(check.name.empty());
    EXPECT_EQ(check.remedy.empty(), check.state == Check::State::ok) << check.name;
  }
}

// A child whose end nobody is told of is no success.
TEST(Doctor, TakesNoSilenceForSuccess) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    std::signal(SIGCHLD, SIG_IGN);
    ::alarm(10);
    try {
      ::_exit(works_in_sandbox([] { throw std::runtime_error("no"); }) ? 1 : 0);
    } catch (const SystemError&) {
      ::_exit(0);
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
}

// Emulations start their workers by /proc/self/exe, which a bare chroot lacks.
TEST(Doctor, MissesTheProcFileSystem) {
  if (testing::in_sandbox([] { return 0; }) != 0) GTEST_SKIP() << "no sandbox works here";
  EXPECT_EQ(testing::in_sandbox([] {
              if (::mount("none", "/proc", "tmpfs", 0, nullptr) != 0) return 2;
              const std::vector<Check> checks = examine();
              const auto proc = std::ranges::find(checks, "proc file system", &Check::name);
              return proc != checks.end() && proc->state == Check::State::missing ? 0 : 1;
            }),
            0);
}

// Where network settings cannot be made, no emulation runs. Of them all, it can do without the one
// that br_netfilter brings.
TEST(Doctor, WarnsWithoutFirewallsOfBridges) {
  if (testing::in_sandbox([] { return 0; }) != 0) GTEST_SKIP() << "no sandbox works here";
  EXPECT_EQ(testing::in_sandbox([] {
              if (::mount("none", "/proc/sys/net", "tmpfs", 0, nullptr) != 0) return 2;
              const std::vector<Check> checks = examine();
              const auto is = [&](const char* name, Check::State state) {
                const auto found = std::ranges::find(checks, name, &Check::name);
                return found != checks.end() && found->state == state;
              };
              return is("network settings", Check::State::missing) &&
                             is("firewalls of bridges", Check::State::warning)
                         ? 0
                         : 1;
            }),
            0);
}

}  // namespace
}  // namespace gradwire::testbed
