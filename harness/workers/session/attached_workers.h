#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "harness/workers/session/mpirun_command.h"
#include "harness/workers/session/mpirun_process.h"
#include "harness/workers/session/workers.h"
#include "testbed/scratch_folder.h"

namespace gradwire::workers {

/// Workers on this machine that one mpirun has started, each with a control connection of its own:
/// as ForkedWorkers, and MPI processes beside. Nothing but what is measured uses MPI.
class AttachedWorkers final : public Workers {
 public:
  /// Starts them and blocks until all have attached themselves, at most `patience`. Requires a
  /// single-threaded caller. The clock must outlive it. Throws FabricError with what mpirun said,
  /// Preflight without an mpirun, SystemError, Interrupted.
  AttachedWorkers(MpirunOptions options, const Clock& clock, Nanoseconds patience);
  /// Stops them in good order if nothing has failed; takes some seconds at most.
  ~AttachedWorkers() override;

  [[nodiscard]] std::size_t size() const override { return members_.size(); }
  [[nodiscard]] bool send(std::size_t rank, const ControlMessage& message) override;
  [[nodiscard]] std::vector<std::size_t> poll(Nanoseconds time) override;
  [[nodiscard]] std::optional<ControlMessage> receive(std::size_t rank) override;
  [[nodiscard]] WorkerEnding ending(std::size_t rank) override;
  void stop() override;

 private:
  struct Member {
    FileDescriptor control;  ///< none before it has attached itself
    bool gone = false;       ///< receive() or send() has said so
  };

  void await_all(const Clock& clock, Nanoseconds patience);
  /// Takes the next worker's connection.
  void accept();
  /// Takes what a connection begins with: whose it is.
  void admit(FileDescriptor control);

  testbed::ScratchFolder folder_;
  FileDescriptor listener_;
  std::vector<FileDescriptor> strangers_;  ///< connections that have not said whose they are
  std::vector<Member> members_;
  MpirunProcess mpirun_;
};

}  // namespace gradwire::workers
