#pragma once

#include <csignal>
#include <string>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::testbed::testing {

/// A process that computes until it is destroyed, under a name that no other one has, so that tests
/// that run at once do not take each other's for theirs. It does not outlive the thread that made it.
class Burner {
 public:
  Burner() : process_(checked(::fork(), "fork")) {
    if (process_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, named(::getpid()).c_str());
    volatile unsigned long sum = 0;
    for (;;) sum = sum + 1;
  }
  ~Burner() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Burner(const Burner&) = delete;
  Burner& operator=(const Burner&) = delete;

  /// Its number, as whoever made it knows it.
  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] std::string name() const { return named(process_); }

 private:
  /// At most 15 characters, as the kernel keeps no more.
  static std::string named(pid_t process) { return "burner " + std::to_string(process); }

  pid_t process_;
};

}  // namespace gradwire::testbed::testing
