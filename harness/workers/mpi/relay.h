#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/file_descriptor.h"
#include "harness/workers/mpi/mpi_channel.h"

namespace gradwire::workers {

/// Carries messages between the harness and the workers that mpirun has started:
///
///     harness ══ lines ══ rank 0's relay ══ MPI ══ rank r's relay ══ packets ══ rank r's worker
///
/// relay_lines.h has what the lines look like.
class Relay {
 public:
  /// Rank 0's lines.
  struct Lines {
    FileDescriptor in;
    FileDescriptor out;
  };

  /// `worker` is this rank's end of its worker's control connection. `lines` on rank 0 only. The
  /// references must outlive it.
  Relay(MpiChannel& channel, int worker, std::optional<Lines> lines, const Clock& clock);

  /// Carries messages until all workers have ended after a stop; on rank 0 at most two seconds
  /// longer than the stop. On a thread of its own. Closes the worker's connection for sending when
  /// it stops. Returns whether the stop was one in good order, so that everybody is there for
  /// MPI_Finalize. Throws FabricError, SystemError.
  [[nodiscard]] bool run();

 private:
  [[nodiscard]] bool take_from_worker();
  [[nodiscard]] bool take_from_harness();
  [[nodiscard]] bool take_from_ranks();
  void take_line(const std::string& line);
  void take_frame(const MpiChannel::Message& message);
  void hand_to_worker(const std::string& text);
  void tell_harness(Rank about, const std::string& text);
  void write_line(std::string line);
  void stop(bool in_order);
  [[nodiscard]] bool done();
  void pause(Nanoseconds time) const;
  [[nodiscard]] bool is_root() const { return channel_.self() == Rank(0); }

  MpiChannel& channel_;
  int worker_;
  std::optional<Lines> lines_;
  const Clock& clock_;
  std::string read_;  ///< part of a line that is not complete
  bool worker_ended_ = false;
  std::size_t others_left_;  ///< on rank 0: whose end has not been heard of
  std::optional<Deadline> stopped_;
  bool in_order_ = false;
};

}  // namespace gradwire::workers
