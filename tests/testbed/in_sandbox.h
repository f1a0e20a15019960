#pragma once

#include <cerrno>
#include <cstdio>
#include <exception>
#include <functional>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
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

#define SKIP_WITHOUT_SANDBOX()                                          \
  if (::gradwire::testbed::testing::in_sandbox([] { return 0; }) == 77) \
  GTEST_SKIP() << "this kernel refuses sandboxes of namespaces; see gradwire doctor"

}  // namespace gradwire::testbed::testing
