#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/dtype.h"
#include "core/elements.h"
#include "topologies/topology.h"
#include "transport/execution/connect.h"
#include "transport/executor.h"
#include "transport/store/client.h"

namespace gradwire::library {

/// Direction between two ranks of a job: what one sends the other receives, message by message, in
/// the order of sending. Messages of all sizes share its connections. Bytes go through a buffer of
/// the line's own, so that they may lie anywhere, over every transport.
class Line {
 public:
  /// Sender and receiver of a line.
  struct Way {
    Rank from;
    Rank to;
  };
  /// Description of a message, which both ranks give.
  struct Message {
    std::uint64_t count = 0;
    Dtype type = Dtype::float32;

    friend bool operator==(const Message&, const Message&) = default;
  };

  /// Connects the two ranks, one of which is this one. Blocks until the other does so, too. They
  /// exchange addresses through `store`. All but the store and `ends.rendezvous` must outlive it.
  /// Throws FabricError, SystemError.
  Line(const topologies::Topology& wiring, const Way& way, const execution::RankEnds& ends,
       transport::store::Client& store);

  /// Sends a message. Blocks until the memory may be used again. Throws FabricError.
  void send(const Message& message, std::span<const std::byte> memory);
  /// Receives a message. Blocks until it is there. Throws FabricError, also when the next message
  /// has another description.
  void receive(const Message& message, std::span<std::byte> memory);

 private:
  /// Moves all bytes of the memory through the buffer, piece by piece.
  template <class Piece>
  void in_pieces(std::size_t bytes, const Piece& piece);

  Way way_;
  ElementBuffer buffer_;
  std::unique_ptr<transport::Executor> executor_;
};

}  // namespace gradwire::library
