#pragma once

#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "testbed/netlink.h"
#include "testbed/sandbox.h"

namespace gradwire::testbed::testing {

/// Runs `body` in a sandbox of its own process and returns what it returned; what it throws is
/// written to stderr and returned as 99. Exits with 77 when the kernel has no sandboxes.
inline int in_sandbox(const std::function<int()>& body, const SandboxOptions& options = {}) {
  std::fflush(nullptr);
  const pid_t pid = checked(::fork(), "fork");
  if (pid == 0) {
    int result = 77;
    try {
      const Ending ending = run_in_sandbox(
          [&body] {
            try {
              return body();
            } catch (const std::exception& error) {
              std::fprintf(stderr, "in the sandbox: %s\n", error.what());
              return 99;
            }
          },
          options);
      result = ending.signal ? 128 + *ending.signal : ending.exit_code;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "no sandbox: %s\n", error.what());
    }
    ::_exit(result);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

/// Whether networks can be made in a sandbox: some machines let everybody have one, and give no
/// rights in it.
inline bool can_make_networks(const SandboxOptions& options = {}) {
  const auto make = [] {
    Netlink().create_bridge("probe", 1500);
    return 0;
  };
  return in_sandbox(make, options) == 0;
}

#define SKIP_WITHOUT_SANDBOX()                            \
  if (!::gradwire::testbed::testing::can_make_networks()) \
  GTEST_SKIP() << "no networks in namespaces here; gradwire doctor says what is missing"

}  // namespace gradwire::testbed::testing
