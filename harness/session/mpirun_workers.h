#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "harness/session/mpirun_command.h"
#include "harness/session/mpirun_messages.h"
#include "harness/session/workers.h"
#include "testbed/process.h"
#include "testbed/scratch_folder.h"

namespace gradwire::harness {

/// Workers that one mpirun has started, one per host. Their messages travel through mpirun's
/// standard input and output to rank 0, and over MPI from there (worker/mpi/relay.h).
class MpirunWorkers final : public Workers {
 public:
  /// Starts them and blocks until all have found each other, at most `patience`. Requires a
  /// single-threaded caller. The clock must outlive it. Throws FabricError with what mpirun said,
  /// SystemError, Interrupted.
  MpirunWorkers(MpirunOptions options, const Clock& clock, Nanoseconds patience);
  /// Stops them in good order if nothing else has; takes some seconds at most.
  ~MpirunWorkers() override;

  [[nodiscard]] std::size_t size() const override { return members_.size(); }
  [[nodiscard]] bool send(std::size_t rank, const nlohmann::json& message) override;
  [[nodiscard]] std::vector<std::size_t> poll(Nanoseconds time) override;
  [[nodiscard]] std::optional<nlohmann::json> receive(std::size_t rank) override;
  [[nodiscard]] WorkerEnding ending(std::size_t rank) override;
  [[nodiscard]] bool clocks_differ() const override { return !options_.one_clock; }
  void stop() override;

 private:
  struct Member {
    std::deque<std::string> messages;
    bool ended = false;
    bool told = false;                  ///< receive() has said so
    std::optional<std::string> ending;  ///< how, once that is known
  };

  void start();
  void await_ready(Nanoseconds patience);
  /// Waits at most `time` for something from mpirun and takes it in.
  void take(Nanoseconds time);
  void take_output();
  void take_errors();
  void note(std::vector<KeptEnding> endings);
  void take_line(std::string_view line);
  void take_end();
  [[nodiscard]] bool write(std::string_view text);
  /// What can be said about the end of all.
  [[nodiscard]] std::string end_of_all();

  MpirunOptions options_;
  const Clock& clock_;
  testbed::ScratchFolder folder_;
  MpirunMessages messages_;
  std::vector<Member> members_;
  FileDescriptor input_;  ///< of mpirun; closed once it is to stop
  FileDescriptor output_;
  FileDescriptor errors_;
  std::optional<testbed::ChildProcess> process_;
  std::string read_;  ///< of a line that is not complete
  bool ready_ = false;
  bool over_ = false;  ///< nothing comes from mpirun any more
};

}  // namespace gradwire::harness
