#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <poll.h>

#include "core/elements.h"
#include "core/file_descriptor.h"
#include "core/units.h"
#include "transport/cancellation.h"
#include "transport/endpoint.h"
#include "transport/posted_queue.h"
#include "transport/tcp/frame.h"

namespace gradwire::transport::tcp {

/// Longest time that a send that is ahead waits for one of its step that does not move at all. Then
/// something else holds up the other's peer, such as a send that some rank holds back for one of
/// ours. It is the time that a port of this rate takes for what two sends may have waiting there,
/// so that it is the same at every time dilation; 5 ms at least, as processors take their time at
/// any rate.
[[nodiscard]] Nanoseconds hold_patience(BitRate rate);

/// Endpoint over one TCP connection per channel. Messages go in frames (frame.h) and are done when
/// the checks of all their frames are right. Replacing receives are read straight into the
/// gradient; adding ones pass through a staging buffer that stays in the cache. It tries operations
/// that were just posted, and channels that had more, before it polls; otherwise it sleeps in poll
/// and never spins: on a machine with more lanes than cores, spinning takes the time of whoever has
/// work.
class TcpEndpoint final : public Endpoint {
 public:
  /// Bytes of an element of the largest type.
  static constexpr std::size_t kMostElementBytes = 8;

  /// Progress of the sends of one step.
  struct Advance {
    std::size_t step = std::numeric_limits<std::size_t>::max();  ///< max without a send
    std::size_t bytes = 0;  ///< bytes sent of all sends of the step, finished ones included
    friend auto operator<=>(const Advance&, const Advance&) = default;
  };

  struct Channel {
    FileDescriptor connection;  ///< non-blocking
    PostedQueue sends;
    PostedQueue receives;
    Frame outgoing;
    Frame incoming;
    /// The bytes of a partly received element.
    std::array<std::byte, kMostElementBytes> partial{};
    std::size_t partial_bytes = 0;
    /// Whether sending is worth a try: the kernel has said so, or nothing says otherwise.
    bool may_send = false;
    bool may_receive = false;
    Advance sent;  ///< progress of the last step that was sent from
    /// Progress of the step of the oldest send. Requires that there is one.
    [[nodiscard]] Advance advance() const {
      const std::size_t step = sends.front().step;
      return sent.step == step ? sent : Advance{.step = step};
    }
  };

  /// Serves the channels of one lane; `gradient` and the cancellation must outlive it. `patience`
  /// comes from hold_patience().
  TcpEndpoint(Elements gradient, std::vector<Channel> channels, const Cancellation& cancellation,
              Nanoseconds patience = hold_patience(kUnlimited));

  void post_send(std::size_t channel, const SendRequest& request) override;
  void post_receive(std::size_t channel, Extent where, Combine how, std::size_t operation) override;
  [[nodiscard]] std::span<const Progress> wait(const Deadline& deadline) override;
  void move_to(Elements gradient) override;
  [[nodiscard]] std::optional<std::size_t> find_unanswered() const override;

 private:
  /// Polls the channels that have something posted, and marks those worth a try; false when the
  /// deadline passed.
  [[nodiscard]] bool poll_channels(const Deadline& deadline);
  /// Sleeps until a channel is ready. With `holds`, also wakes when nothing has been ready for so
  /// long that sends are no longer held.
  [[nodiscard]] bool sleep_until_ready(const Deadline& deadline, bool holds);
  /// Tries each channel and direction that is worth it once: first receives, then sends in the
  /// order in which they were posted.
  void move_some();
  /// Finds the laggard, which other sends of its step must not be far ahead of. It is of the lowest
  /// step that is being sent, so that no send is held for the sake of a later step.
  void find_laggard();
  /// Whether a channel's send is so far ahead of the laggard that it waits.
  [[nodiscard]] bool is_ahead(const Channel& channel) const;
  void send_some(std::size_t channel);
  void receive_some(std::size_t channel);
  /// Result of one read: payload into its place, and bytes of the frame's check.
  struct Arrived {
    std::size_t payload = 0;
    std::size_t check = 0;
  };
  [[nodiscard]] Arrived read_into_gradient(std::size_t channel, const Posted& posted,
                                           std::size_t bytes);
  [[nodiscard]] Arrived read_and_add(std::size_t channel, const Posted& posted, std::size_t bytes);
  [[nodiscard]] Arrived read(std::size_t channel, std::span<std::byte> into);
  [[noreturn]] void throw_corrupted(std::size_t channel) const;
  /// Reports payload that has moved, but not a message's last element before its last frame is
  /// complete.
  void report(PostedQueue& queue, std::size_t bytes, bool is_complete);
  [[nodiscard]] std::span<std::byte> bytes_of(const Posted& posted) const;

  Elements gradient_;
  std::vector<Channel> channels_;
  const Cancellation& cancellation_;
  Nanoseconds patience_;            ///< with a send that does not move while others wait for it
  std::vector<std::byte> staging_;  ///< aligned for any type, as all that operator new gives
  std::vector<pollfd> polled_;      ///< by channel, then the cancellation
  std::vector<Progress> progress_;
  /// The channels that have sends, in the order in which these were posted. A Plan has ranks begin
  /// with different receivers; in the order of the channels' numbers all could begin with the same.
  std::vector<std::size_t> sending_;
  Advance laggard_;           ///< progress of the channel that lags most
  Advance given_up_;          ///< laggard without progress for so long that nothing is held for it
  std::size_t unpolled_ = 0;  ///< waits in a row that moved something without polling
};

}  // namespace gradwire::transport::tcp
