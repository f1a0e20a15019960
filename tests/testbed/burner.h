#pragma once

#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::testbed::testing {

/// A process that computes until it is destroyed, under a name of its own. It does not outlive the
/// thread that made it.
class Burner {
 public:
  static constexpr const char* kName = "burner";

  Burner() : process_(checked(::fork(), "fork")) {
    if (process_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NAME, kName);
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

 private:
  pid_t process_;
};

}  // namespace gradwire::testbed::testing
