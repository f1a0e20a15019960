#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <optional>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "harness/emulate/first_failure.h"
#include "harness/emulate/prefixed_lines.h"
#include "testbed/process.h"

namespace gradwire::emulate {

/// Commands of all hosts, from their start to the end of the last. Their output comes out in whole
/// lines: standard output at this process's, errors at its standard error. When one fails, or the
/// user interrupts, all are asked to end (SIGTERM), and killed when they have not after kGrace.
/// They are killed when this object is destroyed. One thread uses it.
class CommandGroup {
 public:
  /// Time that commands have to end after they were asked to.
  static constexpr Nanoseconds kGrace = std::chrono::seconds(5);

  /// Makes an empty group. The clock must outlive it. With `prefixes` each line begins with its
  /// host: "[3] ".
  CommandGroup(const Clock& clock, bool prefixes) : clock_(clock), prefixes_(prefixes) {}

  /// Starts a command; the group sets its output, errors and offspring. Throws as ChildProcess.
  void start(Rank host, testbed::ChildProcess::Options options);
  /// Starts a shell with this process's standard streams. It decides when all end, and with which
  /// exit code; failures of commands are only reported.
  void start_shell(Rank host, testbed::ChildProcess::Options options);

  /// Blocks until all have ended, and returns their joint exit code. Reports on standard error
  /// which command failed first. Throws SystemError when it cannot write.
  [[nodiscard]] int wait();

 private:
  /// Output stream of a command.
  struct Stream {
    FileDescriptor pipe;  ///< empty after its end
    PrefixedLines lines;
    int to;  ///< the descriptor that its lines are written to
  };
  struct Member {
    Rank host;
    testbed::ChildProcess process;
    std::vector<Stream> streams;  ///< empty for a shell
    bool is_shell = false;
    bool ended = false;
  };

  [[nodiscard]] std::size_t running() const;
  /// Handles an interrupt; pauses while the user has stopped this program.
  void heed_user();
  void poll_once();
  /// Reads the output that is available now.
  void take(Stream& stream) const;
  void note_end(Member& member);
  /// Asks all commands to end; a later call kills them.
  void press();

  const Clock& clock_;
  bool prefixes_;
  FirstFailure failure_;
  std::list<Member> members_;
  std::optional<Deadline> patience_;  ///< since all were asked to end
};

}  // namespace gradwire::emulate
