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

/// How far an operation has come: its first `elements` elements are done. A send's element is done
/// when the gradient may be overwritten there; a receive's when it has been combined.
struct Progress {
  std::size_t operation = 0;
  std::size_t elements = 0;
};

/// A send that an endpoint is to start.
struct SendRequest {
  Extent what;                ///< of the gradient
  std::size_t operation = 0;  ///< the caller's name for it, unique among what is in flight
  /// Of the lane. A transport may hold one send of a step back while another of the same step lags
  /// behind, but none for the sake of another step's.
  std::size_t step = 0;
};

/// A channel broke. The executor turns it into a FabricError that names rank, peer, port and step.
class ChannelError : public std::runtime_error {
 public:
  ChannelError(std::size_t channel, FabricFailure failure, const std::string& detail)
      : std::runtime_error(detail), channel_(channel), failure_(failure) {}
  /// The lane's channel that broke.
  [[nodiscard]] std::size_t channel() const { return channel_; }
  /// How it broke.
  [[nodiscard]] FabricFailure failure() const { return failure_; }

 private:
  std::size_t channel_;
  FabricFailure failure_;
};

/// Thrown by wait() after Cancellation::request().
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// One lane's attachment to the wire: a channel per peer, and the completion of what was posted on
/// them. One thread uses it; nothing in it is shared with other lanes.
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
  /// once. Of sends on several channels, those that were posted first start first.
  virtual void post_send(std::size_t channel, const SendRequest& request) = 0;

  /// Starts receiving into `where` of the gradient. Returns at once. `operation` is the caller's name
  /// for it, unique among what is in flight.
  virtual void post_receive(std::size_t channel, Extent where, Combine how,
                            std::size_t operation) = 0;

  /// Works on what is posted; blocks until something has moved or `deadline` has passed. Returns
  /// what moved, at most one entry per operation and call, valid until the next call; empty means
  /// the deadline passed. Throws ChannelError or Cancelled.
  [[nodiscard]] virtual std::span<const Progress> wait(const Deadline& deadline) = 0;

  /// Works on this memory from now on, which has the type and the size of the gradient that it was
  /// connected with, and must outlive its use. Not while anything is posted. Throws InternalError
  /// where the gradient is registered with a device, or known to the peers: only tcp can.
  virtual void move_to(Elements gradient);

  /// A channel whose peer acknowledges nothing of what was sent to it, although that was sent again
  /// and again. Nothing when there is none, or when the transport cannot tell.
  [[nodiscard]] virtual std::optional<std::size_t> find_unanswered() const { return std::nullopt; }
};

/// How many operations a lane posts on a channel, per direction.
struct ChannelUse {
  std::size_t sends = 0;
  std::size_t receives = 0;
};
/// How many operations the lane posts on each of `channels`, which are channels_of(lane).
[[nodiscard]] std::vector<ChannelUse> channel_use(const Lane& lane, std::span<const Peer> channels);

}  // namespace gradwire::transport
