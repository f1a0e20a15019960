#pragma once

#include <cstdio>
#include <exception>
#include <string>

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"

/// What tests do in the network of another process.
namespace gradwire::testing {

/// Runs `body`, which returns an exit code, in a process of its own that is in the user and network
/// namespaces of `pid`. Returns the code; 99 when it throws or takes longer than a minute.
template <class Body>
[[nodiscard]] int in_network_of(pid_t pid, const Body& body) {
  const auto enter = [pid](const char* kind, int type) {
    const std::string path = "/proc/" + std::to_string(pid) + "/ns/" + kind;
    const FileDescriptor space(checked(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open " + path));
    checked(::setns(space.get(), type), "enter " + path);
  };
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    ::alarm(60);
    try {
      enter("user", CLONE_NEWUSER);
      enter("net", CLONE_NEWNET);
      ::_exit(body());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      ::_exit(99);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

}  // namespace gradwire::testing
