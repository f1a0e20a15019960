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

/// The commands of all hosts, from their start to the end of the last. What they write comes out in
/// whole lines: their standard output at this process's, their errors at its standard error. When
/// one fails, or the user interrupts, all are asked to end (SIGTERM), and killed when they have not
/// after kGrace. Killed when this object goes. One thread uses it.
class CommandGroup {
 public:
  /// For commands that were asked to end.
  static constexpr Nanoseconds kGrace = std::chrono::seconds(5);

  /// The clock must outlive it. With `prefixes` each line begins with its host: "[3] ".
  CommandGroup(const Clock& clock, bool prefixes) : clock_(clock), prefixes_(prefixes) {}

  /// Starts a command; the group sets its output, errors and offspring. Throws as ChildProcess.
  void start(Rank host, testbed::ChildProcess::Options options);
  /// Starts a shell with this process's standard streams. It decides when all end, and with which
  /// exit code; commands that fail are only told of.
  void start_shell(Rank host, testbed::ChildProcess::Options options);

  /// Blocks until all have ended, and returns the exit code that they end with together. Tells on
  /// standard error which command failed first. Throws SystemError when it cannot write.
  [[nodiscard]] int wait();

 private:
  /// What a command writes to one of its streams.
  struct Stream {
    FileDescriptor pipe;  ///< none after its end
    PrefixedLines lines;
    int to;  ///< the descriptor that its lines are written to
  };
  struct Member {
    Rank host;
    testbed::ChildProcess process;
    std::vector<Stream> streams;  ///< none of a shell's
    bool is_shell = false;
    bool ended = false;
  };

  [[nodiscard]] std::size_t running() const;
  /// Notes an interrupt; stands still while the user has stopped this program.
  void heed_user();
  void poll_once();
  /// Takes in what can be read now.
  void take(Stream& stream) const;
  void note_end(Member& member);
  /// Asks all to end, and later again, which kills them.
  void press();

  const Clock& clock_;
  bool prefixes_;
  FirstFailure failure_;
  std::list<Member> members_;
  std::optional<Deadline> patience_;  ///< since all were asked to end
};

}  // namespace gradwire::emulate
