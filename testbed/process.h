#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {

/// Ending of a process.
struct Ending {
  int exit_code = 0;               ///< when it exited
  std::optional<int> signal = {};  ///< when it was killed
};

/// Describes an ending: "exited with 3", "was killed by signal 9 (Killed)".
[[nodiscard]] std::string to_string(const Ending& ending);

/// Error: a program does not exist, or may not be executed.
class CannotExecute : public SystemError {
  using SystemError::SystemError;
};

/// Program that this process runs, for example in a host of the testbed. It is killed and waited
/// for when this object is destroyed.
class ChildProcess {
 public:
  struct Options {
    std::vector<std::string> arguments;         ///< the program's path first, or its name in PATH
    std::vector<std::string> environment = {};  ///< "NAME=value", beside the caller's own
    int namespace_fd = -1;            ///< host's network to run in, with a /sys that shows it
    std::string hostname = {};        ///< name of that host; empty: the machine's
    std::string hosts_file = {};      ///< content of /etc/hosts there; empty: the machine's
    int control = -1;                 ///< becomes descriptor 3 of the program, if there is one
    int input = -1;                   ///< its standard input; -1: /dev/null
    int output = -1;                  ///< its standard output; -1: the caller's
    int errors = -1;                  ///< its standard error; -1: the caller's
    bool keeps_capabilities = false;  ///< whether it may enter namespaces itself
    /// Whether signals have their default actions in it, as in a shell's child, Ctrl-Z included.
    /// Without this it ignores those that the caller ignores, and Ctrl-Z.
    bool default_signals = false;
    /// Whether it becomes the foreground of the terminal that is its input, in a process group of
    /// its own.
    bool takes_terminal = false;
    /// Whether everything that it starts, directly or not, ends when it ends and when the caller
    /// dies. pid() is then its warden's (testbed/warden.h): a first SIGTERM asks it to end, a
    /// second kills it.
    bool with_offspring = false;
  };

  /// Starts the program. It is killed when the caller dies, may lock as much memory as is allowed,
  /// and has no capabilities unless it keeps them. Requires a single-threaded caller, and standard
  /// streams that are open. Throws CannotExecute, and SystemError when anything before that fails.
  [[nodiscard]] static ChildProcess start(const Options& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// The process number, which may belong to another process after wait() has returned the ending.
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Descriptor that is readable once the process has ended.
  [[nodiscard]] int ended_fd() const { return pidfd_.get(); }
  /// Blocks until the process has ended, or the deadline has passed: nothing then.
  [[nodiscard]] std::optional<Ending> wait(const Deadline& deadline);
  /// The signal that has stopped it; nothing unless it is stopped now.
  [[nodiscard]] std::optional<int> stopped_by() const;
  /// Sends SIGKILL, or another signal. Does nothing when the process has ended.
  void kill(int signal = SIGKILL) noexcept;

 private:
  ChildProcess(pid_t pid, FileDescriptor pidfd);

  pid_t pid_;
  FileDescriptor pidfd_;
  std::optional<Ending> ending_;
};

}  // namespace gradwire::testbed
