#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.h"
#include "core/extent.h"
#include "transport/device/device.h"
#include "transport/device/staged.h"
#include "transport/endpoint.h"
#include "transport/posted_queue.h"

namespace gradwire::transport::device {

/// Staging memory that all lanes of a rank share.
struct StagingMemory {
  PinnedMemory pinned;   ///< slots that receive, then slots that send
  DeviceMemory arrived;  ///< counterparts of the slots that receive: data to be added
};

/// A lane's part of the staging memory, in elements. Channel c has `slots` slots per direction,
/// from first_receive or first_send plus c * slots * stride on.
struct LaneSlots {
  std::size_t piece = 0;   ///< elements of a piece, at most
  std::size_t slots = 0;   ///< per channel and direction
  std::size_t stride = 0;  ///< distance from slot to slot: a piece and what aligns it
  std::size_t vector = 1;  ///< elements between aligned addresses
  std::size_t first_receive = 0;
  std::size_t first_send = 0;
};

/// Endpoint of a lane whose gradient lies in a device's memory, over an endpoint that works on
/// slots of pinned memory (staged.h has the picture). Between its calls the device copies on two
/// streams, one out and one in; while it does, waits for the transport are cut into short ones,
/// between which the streams are asked how far they are.
class StagedEndpoint final : public Endpoint {
 public:
  /// Takes `over`, which is connected for the same lane in pieces. `use` says how many operations
  /// are posted on each channel.
  StagedEndpoint(std::unique_ptr<Endpoint> over, const DeviceGradient& gradient,
                 std::shared_ptr<const StagingMemory> memory, const LaneSlots& slots,
                 std::span<const ChannelUse> use);

  void post_send(std::size_t channel, const SendRequest& request) override;
  void post_receive(std::size_t channel, Extent where, Combine how, std::size_t operation) override;
  [[nodiscard]] std::span<const Progress> wait(const Deadline& deadline) override;
  [[nodiscard]] std::optional<std::size_t> find_unanswered() const override;

 private:
  struct Piece {
    Extent where;  ///< in the gradient
    Extent slot;   ///< in pinned memory
    Combine how = Combine::replace;
    std::size_t operation = 0;
    std::size_t done_before = 0;  ///< elements of the operation before this piece

    [[nodiscard]] std::size_t done_after() const { return done_before + where.count; }
  };
  /// Sends or receives of a channel. Pieces go through it in order and are counted: begun, then
  /// handed from copying to the transport or from the transport to copying, then done.
  struct Direction {
    PostedQueue uncut;          ///< operations whose pieces have not all begun; bytes_done: begun
    std::vector<Piece> pieces;  ///< pieces under way: piece n at index n modulo the size
    std::size_t first_slot = 0;
    std::size_t begun = 0;
    std::size_t handed = 0;
    std::size_t done = 0;

    [[nodiscard]] Piece& piece(std::size_t number) { return pieces[number % pieces.size()]; }
  };
  struct Channel {
    Direction sends;
    Direction receives;
  };

  [[nodiscard]] Direction make_direction(std::size_t operations, std::size_t first_slot) const;
  /// The number of a piece, which is both its copy's event and its operation of the transport.
  [[nodiscard]] std::size_t event_of(std::size_t channel, std::size_t number) const;
  /// Cuts the next piece into a free slot; null when there is no operation to cut or no free slot.
  [[nodiscard]] Piece* begin_piece(Direction& direction) const;
  void begin_sends(std::size_t channel);
  void begin_receives(std::size_t channel);
  /// Continues with pieces whose copies are done.
  void take_copied();
  void take_copied(std::size_t channel);
  /// Continues with pieces that the transport has moved.
  void take_moved(const Progress& moved);
  void begin_copy_in(std::size_t channel, const Piece& piece);
  [[nodiscard]] bool is_copying() const;
  void report(std::size_t operation, std::size_t elements);

  DeviceGradient gradient_;
  std::shared_ptr<const StagingMemory> memory_;
  LaneSlots slots_;
  std::unique_ptr<Endpoint> over_;
  std::vector<Channel> channels_;
  std::vector<Progress> progress_;
  // Last, so that they end first: they copy from and to what stands above.
  std::unique_ptr<Stream> out_;
  std::unique_ptr<Stream> in_;
};

}  // namespace gradwire::transport::device
