#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>

#include <mpi.h>

#include "core/id.h"

namespace gradwire::workers {

/// Messages of bytes between the processes of an MPI job, on a communicator of its own. Nothing
/// blocks: whoever waits decides how. One thread uses a channel; several channels may be used by as
/// many threads when MPI was initialized with MPI_THREAD_MULTIPLE.
class MpiChannel {
 public:
  struct Message {
    Rank from;
    std::string bytes;
  };

  /// Collective over MPI_COMM_WORLD. Throws FabricError.
  MpiChannel();
  /// Leaves the communicator to MPI_Finalize: freeing it would wait for ranks that may be gone.
  ~MpiChannel() = default;
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;

  [[nodiscard]] Rank self() const { return self_; }
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Begins to send; messages of two ranks keep their order. Throws FabricError.
  void send(Rank to, std::string bytes);
  /// A message that has come, from a certain rank or from any. After nothing, the same is asked for
  /// again until it is there. Throws FabricError.
  [[nodiscard]] std::optional<Message> receive(std::optional<Rank> from = std::nullopt);
  /// Drives what is being sent. True when all of it is on its way and its memory free.
  [[nodiscard]] bool all_sent();

 private:
  struct Sending {
    MPI_Request request;
    std::string bytes;
  };

  /// One that has been found and is on its way.
  struct Receiving {
    MPI_Request request = MPI_REQUEST_NULL;
    Message message;
  };

  void check(int result, const char* operation) const;
  void begin_to_receive(int source);

  MPI_Comm communicator_ = MPI_COMM_NULL;
  Rank self_{0};
  std::size_t size_ = 0;
  std::list<Sending> sending_;
  std::optional<Receiving> receiving_;
};

}  // namespace gradwire::workers
