#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "harness/workers/session/mpirun_command.h"
#include "harness/workers/session/mpirun_process.h"
#include "harness/workers/session/workers.h"
#include "testbed/scratch_folder.h"

namespace gradwire::workers {

/// Workers that one mpirun has started, one per host. Their messages travel through mpirun's
/// standard input and output to rank 0, and over MPI from there (harness/workers/mpi/relay.h).
class MpirunWorkers final : public Workers {
 public:
  /// Starts them and blocks until all have found each other, at most `patience`. Requires a
  /// single-threaded caller. The clock must outlive it. Throws FabricError with what mpirun said,
  /// Preflight without an mpirun, SystemError, Interrupted.
  MpirunWorkers(const MpirunOptions& options, const Clock& clock, Nanoseconds patience);
  /// Stops them in good order if nothing else has; takes some seconds at most.
  ~MpirunWorkers() override;

  [[nodiscard]] std::size_t size() const override { return members_.size(); }
  [[nodiscard]] bool send(std::size_t rank, const ControlMessage& message) override;
  [[nodiscard]] std::vector<std::size_t> poll(Nanoseconds time) override;
  [[nodiscard]] std::optional<ControlMessage> receive(std::size_t rank) override;
  [[nodiscard]] WorkerEnding ending(std::size_t rank) override;
  [[nodiscard]] bool clocks_differ() const override { return clocks_differ_; }
  void stop() override;

 private:
  struct Member {
    std::deque<std::string> messages;
    bool ended = false;  ///< in good order, as its relay says
    bool told = false;   ///< receive() has said so
  };

  void await_ready(const Clock& clock, Nanoseconds patience);
  /// Waits at most `time` for something from mpirun and takes it in.
  void take(Nanoseconds time);
  void take_line(std::string_view line);
  [[nodiscard]] bool has_ended(std::size_t rank) const;
  /// Ranks with a message, or whose ending has not been told.
  [[nodiscard]] std::vector<std::size_t> ready() const;

  testbed::ScratchFolder folder_;
  MpirunProcess mpirun_;
  std::vector<Member> members_;
  bool clocks_differ_;
  bool ready_ = false;
  bool stopped_ = false;
};

}  // namespace gradwire::workers
