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

/// How a process ended.
struct Ending {
  int exit_code = 0;               ///< when it exited
  std::optional<int> signal = {};  ///< when it was killed
};

/// "exited with 3", "was killed by signal 9 (Killed)".
[[nodiscard]] std::string to_string(const Ending& ending);

/// A program is not there, or may not be executed.
class CannotExecute : public SystemError {
  using SystemError::SystemError;
};

/// A program that this process runs, in a host of the testbed for example. Killed and waited for
/// when this object goes.
class ChildProcess {
 public:
  struct Options {
    std::vector<std::string> arguments;  ///< the program's path first, which may be found in PATH
    std::vector<std::string> environment = {};  ///< "NAME=value", beside the caller's own
    int namespace_fd = -1;            ///< of the network to run in, with a /sys that shows it
    std::string hostname = {};        ///< what it calls that host; empty: by the machine's name
    std::string hosts_file = {};      ///< what it finds at /etc/hosts there; empty: the machine's
    int control = -1;                 ///< becomes descriptor 3 of the program, if there is one
    int input = -1;                   ///< its standard input; -1: /dev/null
    int output = -1;                  ///< its standard output; -1: the caller's
    int errors = -1;                  ///< its standard error; -1: the caller's
    bool keeps_capabilities = false;  ///< to enter namespaces itself
    /// Signals do to it what they do to a shell's child, Ctrl-Z included. Without this it ignores
    /// those that the caller ignores, and Ctrl-Z.
    bool default_signals = false;
    /// It becomes the foreground of the terminal that is its input, in a process group of its own.
    bool takes_terminal = false;
    /// Whatever it starts, directly or not, ends when it ends and when the caller dies. pid() is
    /// its warden's then (testbed/warden.h): a first SIGTERM asks it to end, a second kills it.
    bool with_offspring = false;
  };

  /// Starts it, killed when the caller dies, with as much memory to lock as is allowed, and without
  /// capabilities unless it keeps them. Requires a single-threaded caller, and standard streams
  /// that are open. Throws CannotExecute, and SystemError when anything before that fails.
  [[nodiscard]] static ChildProcess start(const Options& options);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// Its process number, which may be given to another process after wait() has returned its
  /// ending.
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Readable once the process has ended.
  [[nodiscard]] int ended_fd() const { return pidfd_.get(); }
  /// Blocks until the process has ended or the deadline has passed (nothing then).
  [[nodiscard]] std::optional<Ending> wait(const Deadline& deadline);
  /// The signal that has stopped it, as long as it is stopped.
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
