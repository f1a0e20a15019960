#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "harness/workers/session/mpirun_command.h"
#include "harness/workers/session/mpirun_messages.h"
#include "harness/workers/session/workers.h"
#include "testbed/process.h"
#include "testbed/scratch_folder.h"

namespace gradwire::workers {

/// An mpirun: its start, its streams, what it and the ranks' keepers say of who ended, and its end.
/// One thread uses it.
class MpirunProcess {
 public:
  /// Starts it with `folder` for temporary files; folder and clock must outlive it. Requires a
  /// single-threaded caller. Throws Preflight when there is no mpirun, SystemError.
  MpirunProcess(const testbed::ScratchFolder& folder, MpirunOptions options, const Clock& clock);
  /// Asks it to end all, and kills it when it does not within some seconds.
  ~MpirunProcess();
  MpirunProcess(const MpirunProcess&) = delete;
  MpirunProcess& operator=(const MpirunProcess&) = delete;

  /// Waits at most `time` until one of `fds` is readable (negative ones never are) or mpirun has
  /// said something or has ended, and takes that in. Returns the indices of the readable ones.
  /// Throws SystemError.
  std::vector<std::size_t> wait_for(std::span<const int> fds, Nanoseconds time);
  /// Takes in what mpirun says until it is over or the time is. Throws SystemError.
  void await_end(Nanoseconds time);

  /// A line of its standard output that begins with `mark`, the first that was not taken yet.
  [[nodiscard]] std::optional<std::string> take_line();
  static constexpr char kMark = '@';

  /// Writes to its standard input, within seconds. False when it does not read any more. Throws
  /// SystemError.
  [[nodiscard]] bool write(std::string_view text);
  void close_input() { input_.reset(); }

  /// Nothing comes from it any more.
  [[nodiscard]] bool is_over() const { return over_; }
  /// Ending of a rank, once that is known.
  [[nodiscard]] const std::optional<WorkerEnding>& ending(std::size_t rank) const {
    return endings_.at(rank);
  }
  /// Ending of a rank. Waits for it a moment, or until mpirun is over.
  [[nodiscard]] const std::optional<WorkerEnding>& await_ending(std::size_t rank);
  /// Account of how mpirun itself ended, and what it said last. Requires is_over().
  [[nodiscard]] std::string end_of_all();

  /// Throws FabricError when not all ranks can come any more, for whoever waits until all have:
  /// a rank has ended, or mpirun has, or the deadline has passed.
  void require_start(const Deadline& deadline);

 private:
  void take_output();
  void take_errors();
  void note(std::vector<KeptEnding> endings);
  /// Takes in what is there once the process has ended, whoever still holds its streams.
  void take_end();

  const Clock& clock_;
  MpirunMessages messages_;
  std::vector<std::optional<WorkerEnding>> endings_;  ///< by rank
  FileDescriptor input_;
  FileDescriptor output_;
  FileDescriptor errors_;
  std::string read_;               ///< part of its output: a line that is not complete
  std::deque<std::string> lines_;  ///< marked ones
  bool over_ = false;
  std::optional<testbed::ChildProcess> process_;
};

}  // namespace gradwire::workers
