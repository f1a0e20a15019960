#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/elements.h"
#include "core/error.h"
#include "core/plan.h"

namespace gradwire::transport {

/// Progress of an operation: its first `elements` elements are done. A send's element is done when
/// the gradient may be overwritten there; a receive's when it has been combined.
struct Progress {
  std::size_t operation = 0;
  std::size_t elements = 0;
};

/// Send that an endpoint is to start.
struct SendRequest {
  Extent what;                ///< part of the gradient that is sent
  std::size_t operation = 0;  ///< the caller's name, unique among operations in flight
  /// The lane's step. A transport may hold back one send of a step while another of the same step
  /// lags, but never for the sake of another step's send.
  std::size_t step = 0;
};

/// Error: a channel broke. The executor turns it into a FabricError that names rank, peer, port and
/// step.
class ChannelError : public std::runtime_error {
 public:
  ChannelError(std::size_t channel, FabricFailure failure, const std::string& detail)
      : std::runtime_error(detail), channel_(channel), failure_(failure) {}
  /// The channel of the lane that broke.
  [[nodiscard]] std::size_t channel() const { return channel_; }
  /// The way in which it broke.
  [[nodiscard]] FabricFailure failure() const { return failure_; }

 private:
  std::size_t channel_;
  FabricFailure failure_;
};

/// Error of wait() after Cancellation::request().
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// Attachment of one lane to the wire: a channel per peer, and the completion of operations posted
/// on them. One thread uses it; nothing in it is shared with other lanes.
///
/// The gradient buffer was handed over when the endpoint was connected, so a transport can register
/// its memory then; both ends of a channel use the same extents, so one-sided writes know where to
/// write. Operations of one channel and direction complete in the order in which they are posted,
/// and the n-th send of one end meets the n-th receive of the other. After connecting, nothing here
/// allocates.
class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// Starts sending a part of the gradient, which must not change until it is done. Returns at
  /// once. Sends on several channels start in the order in which they were posted.
  virtual void post_send(std::size_t channel, const SendRequest& request) = 0;

  /// Starts receiving into `where` of the gradient. Returns at once. `operation` is the caller's
  /// name for it, unique among operations in flight.
  virtual void post_receive(std::size_t channel, Extent where, Combine how,
                            std::size_t operation) = 0;

  /// Works on posted operations; blocks until one has moved or `deadline` has passed. Returns the
  /// progress, at most one entry per operation and call, valid until the next call; empty means
  /// that the deadline passed. Throws ChannelError or Cancelled.
  [[nodiscard]] virtual std::span<const Progress> wait(const Deadline& deadline) = 0;

  /// Works on `gradient` from now on, which has the type and the size of the one before and must
  /// outlive its use. Must not be called while anything is posted. Throws InternalError where a
  /// device or the peers know the gradient's address: only tcp can move.
  virtual void move_to(Elements gradient);

  /// A channel whose peer acknowledges nothing although data was sent to it again and again.
  /// Nothing when there is none, or when the transport cannot tell.
  [[nodiscard]] virtual std::optional<std::size_t> find_unanswered() const { return std::nullopt; }
};

/// Numbers of operations that a lane posts on a channel, per direction.
struct ChannelUse {
  std::size_t sends = 0;
  std::size_t receives = 0;
};
/// Counts the operations that the lane posts on each of `channels`, which are channels_of(lane).
[[nodiscard]] std::vector<ChannelUse> channel_use(const Lane& lane, std::span<const Peer> channels);

}  // namespace gradwire::transport
