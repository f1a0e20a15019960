#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/clock.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {

/// How a process ended.
struct Ending {
  int exit_code = 0;               ///< when it exited
  std::optional<int> signal = {};  ///< when it was killed
};

/// "exited with 3", "was killed by signal 9 (Killed)".
[[nodiscard]] std::string to_string(const Ending& ending);

/// A program running in a host of the testbed. Killed and waited for when this object goes.
class ChildProcess {
 public:
  struct Options {
    std::vector<std::string> arguments;  ///< the program's path first
    int namespace_fd = -1;               ///< the network namespace to run in
    int control = -1;                    ///< becomes descriptor 3 of the program
  };

  /// Starts it without capabilities, with as much memory to lock as is allowed, with standard input
  /// from /dev/null, killed when the caller dies. Requires a single-threaded caller. Throws
  /// SystemError when the program cannot be executed.
  [[nodiscard]] static ChildProcess start(const Options& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Readable once the process has ended.
  [[nodiscard]] int ended_fd() const { return pidfd_.get(); }
  /// Blocks until the process has ended or the deadline has passed (nothing then).
  [[nodiscard]] std::optional<Ending> wait(const Deadline& deadline);
  /// SIGKILL. Does nothing when it has ended.
  void kill() noexcept;

 private:
  ChildProcess(pid_t pid, FileDescriptor pidfd);

  pid_t pid_;
  FileDescriptor pidfd_;
  std::optional<Ending> ending_;
};

}  // namespace gradwire::testbed
