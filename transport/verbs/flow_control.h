#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan.h"
#include "transport/posted_queue.h"

/// Flow control of one direction of a channel, without a device: which segments may leave, and
/// where they go.
///
///     sender (SendFlow)                              receiver (ReceiveFlow)
///
///     post  [-------- operation --------]            post  [-------- operation --------] add
///           | segment | segment | segm. |                  | segment | segment | segm. |
///                                          grant(add, 2)
///           <----------------------------------------------  (two staging slots are free)
///       write #0 -> slot 0
///           ---------------------------------------------->  #0: slot 0 is added; free again
///       write #1 -> slot 1                 grant(add, 1)
///           <----------------------------------------------
///           ---------------------------------------------->  #1: slot 1 is added
///       write #2 -> slot 0
///           ---------------------------------------------->  #2: slot 0 is added; the last
///
/// Both ends cut the n-th operation into the same segments, because both know its extent. A segment
/// leaves when it is posted at its sender and granted by its receiver. A grant says how the
/// receiver combines the next segments, and with that where they go: what replaces is written to
/// its place in the gradient, what is added to the next slot of a ring. A grant for a posted
/// receive waits at the sender for the send, so a peer that is a stage ahead or behind is no
/// special case.
///
/// The bound that everything else rests on: at most `window` segments are granted and not settled,
/// so no more are granted and have not arrived. So a ring of `window` slots suffices; and since
/// every segment has at most one grant of its own, `window` segments and `window` grants are the
/// most that can be under way to one end.
namespace gradwire::transport::verbs {

/// Part of an operation, sent as one write.
struct Segment {
  std::size_t operation = 0;
  Extent extent;
  /// Elements of the operation up to the end of this segment.
  std::size_t elements = 0;
  Combine how = Combine::replace;
};

/// Queue of operations that are cut into segments of at most `most` elements, in order.
class SegmentQueue {
 public:
  /// Makes a queue for `operations`; allocates nothing afterwards.
  SegmentQueue(std::size_t operations, std::size_t most);

  /// Adds an operation, which must not be empty.
  void push(Extent extent, Combine how, std::size_t operation);
  /// Whether all segments have been taken.
  [[nodiscard]] bool empty() const { return operations_.empty(); }
  /// The way in which the next segment is combined. Requires !empty().
  [[nodiscard]] Combine next_how() { return operations_.front().how; }
  /// Takes the next segment. Requires !empty().
  Segment take();

 private:
  PostedQueue operations_;
  std::size_t most_;
};

/// Limits of a channel, which both ends must share.
struct FlowLimits {
  std::size_t segment = 0;  ///< elements, at least 1
  std::size_t window = 0;   ///< segments, at least kLeastWindow

  friend bool operator==(const FlowLimits&, const FlowLimits&) = default;

  static constexpr auto kFields =
      row(field("segment", &FlowLimits::segment), field("window", &FlowLimits::window));
};
/// The smallest window of a channel, in segments.
inline constexpr std::size_t kLeastWindow = 4;

/// Segment that may leave now.
struct Departure {
  Segment segment;
  std::uint32_t number = 0;         ///< within the direction, modulo 2^kNumberBits
  std::optional<std::size_t> slot;  ///< slot of the peer's ring; without: its place in the gradient
};
/// The bits of a segment's number on the wire.
inline constexpr unsigned kNumberBits = 28;

/// Sending end of a channel's direction.
class SendFlow {
 public:
  /// Makes room for `operations` between post() and their last leave().
  SendFlow(std::size_t operations, const FlowLimits& limits);

  /// Adds an operation, whose segments depart() returns.
  void post(Extent what, std::size_t operation);
  /// Adds a grant of the receiver for `count` more segments. Throws InternalError for more than the
  /// window.
  void grant(Combine how, std::size_t count);
  /// The next segment, if one is posted and granted and less than the window is under way.
  [[nodiscard]] std::optional<Departure> depart();
  /// Takes the oldest segment under way, whose memory the wire no longer uses.
  [[nodiscard]] Segment leave();

  /// Whether a posted operation is not done.
  [[nodiscard]] bool busy() const { return !leaving_.empty(); }
  /// Whether a posted operation waits for the receiver's grant, or for room.
  [[nodiscard]] bool waits() const { return !departing_.empty(); }
  /// Number of segments that have left and are not done.
  [[nodiscard]] std::size_t under_way() const { return under_way_; }

 private:
  SegmentQueue departing_;
  SegmentQueue leaving_;
  std::vector<Combine> grants_;  ///< a ring: unused grants, by segment
  std::size_t granted_ = 0;      ///< segments of all time, as `departed_` and `added_`
  std::size_t departed_ = 0;
  std::size_t added_ = 0;
  std::size_t under_way_ = 0;
};

/// Permission for the peer to send `count` segments, which are combined `how`.
struct Grant {
  Combine how = Combine::replace;
  std::size_t count = 0;
};

/// Segment that has arrived.
struct Arrival {
  Segment segment;
  std::optional<std::size_t> slot;  ///< slot where it lies, to be added; without: already in place
};

/// Receiving end of a channel's direction.
class ReceiveFlow {
 public:
  /// Makes room for `operations` between post() and their last arrive().
  ReceiveFlow(std::size_t operations, const FlowLimits& limits);

  /// Adds an operation, whose segments grant() permits and arrive() returns.
  void post(Extent where, Combine how, std::size_t operation);
  /// The next grant to send: as many segments of one kind as possible.
  [[nodiscard]] std::optional<Grant> grant();
  /// Takes segment `number`, which has arrived. Its slot is in use until settle(). Throws
  /// InternalError when the number is not the one that was due.
  [[nodiscard]] Arrival arrive(std::uint32_t number);
  /// Settles the oldest unsettled segment that has arrived, which is in place or added; its slot is
  /// free again.
  void settle();

  /// Whether a posted operation has not arrived.
  [[nodiscard]] bool busy() const { return !arriving_.empty(); }

 private:
  SegmentQueue granting_;
  SegmentQueue arriving_;
  std::size_t window_;
  std::size_t granted_ = 0;  ///< segments of all time, as those below
  std::size_t arrived_ = 0;
  std::size_t settled_ = 0;
  std::size_t added_ = 0;
};

}  // namespace gradwire::transport::verbs
