#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lane_program.h"
#include "transport/posted_queue.h"
#include "transport/ucx/request.h"

namespace gradwire::transport::ucx {

class Stream;

/// Sizes by which operations are cut into segments.
struct Cutting {
  std::size_t elements = 0;  ///< elements of a segment; the last of an operation may have fewer
  std::size_t window = 0;    ///< segments of a stream that UCX has at a time; at least 1
};

/// Request that tells its stream when it ends.
class StreamRequest : public Request {
 private:
  friend class Stream;
  void ended() noexcept override;
  Stream* stream_ = nullptr;
};

/// Piece of an operation, from when UCX gets it to when it is retired.
class Segment final : public StreamRequest {
 public:
  Extent extent;
  Combine how = Combine::replace;
  std::size_t operation = 0;
  std::size_t elements_done = 0;      ///< elements done of the operation, this segment included
  std::span<std::byte> staging = {};  ///< memory in which it arrives if it is to be added
  std::size_t slot = 0;               ///< its own, among all receiving segments of the lane
};

/// One direction of a channel: operations, cut into segments that start and retire in order. The
/// sender starts at most a window of segments that the receiver has not retired: more would pile up
/// in UCX's memory. It may start without having heard from the receiver, which grants more in
/// credits of half a window.
///
/// Neither moves nor allocates once made.
class Stream {
 public:
  struct Options {
    std::size_t channel = 0;  ///< number of the channel in its lane
    Operation::Kind kind;
    std::size_t operations = 0;  ///< the most that are pushed and not retired at a time
    Cutting cutting;
    std::span<std::byte> staging = {};  ///< cut into the window's segments; empty: nothing is added
    /// List in which a stream with news enters itself, at most once at a time. Must outlive the
    /// stream.
    std::vector<Stream*>& with_news;
  };
  /// Makes a direction without operations.
  explicit Stream(const Options& options);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// The lane's channel that this is a direction of.
  [[nodiscard]] std::size_t channel() const { return channel_; }
  /// The direction: sends or receives.
  [[nodiscard]] Operation::Kind kind() const { return kind_; }

  /// Adds an operation, whose segments start() returns.
  void push(const Posted& posted) { waiting_.push(posted); }
  /// The next segment to hand to UCX; null when the window is full, nothing waits, or a send must
  /// wait for a credit.
  [[nodiscard]] Segment* start();
  /// The number of the segment that start() returned last.
  [[nodiscard]] std::uint64_t sequence() const { return started_ - 1; }
  /// The oldest segment that UCX has, if UCX has finished it; otherwise null.
  [[nodiscard]] Segment* finished();
  /// Takes the segment that finished() returned from UCX.
  void take() { ++taken_; }
  /// The oldest segment that was taken and not retired; null when there is none.
  [[nodiscard]] Segment* taken();
  /// Retires the segment that taken() returned, which makes room for another.
  void retire() {
    ++retired_;
    ++uncredited_;
  }
  /// Counts a credit that has arrived (for sends), or is about to leave (for receives).
  void credit();
  /// Whether a receiving direction should send a credit now.
  [[nodiscard]] bool owes_credit() const { return uncredited_ >= credit_size_; }
  /// The number of the credit that is sent or received next.
  [[nodiscard]] std::uint64_t credits() const { return credits_; }
  /// The request that carries the credits, one at a time.
  [[nodiscard]] Request& carrier() { return carrier_; }
  /// Whether an operation was pushed that has not been retired.
  [[nodiscard]] bool busy() const { return started_ != retired_ || !waiting_.empty(); }
  /// All segments, started or not.
  [[nodiscard]] std::span<Segment> segments() { return segments_; }
  /// Enters the stream in the list of those with news, unless it is there.
  void list() noexcept;
  /// Notes that the stream was taken from that list. Must be called then.
  void heard() { listed_ = false; }

 private:
  std::size_t channel_;
  Operation::Kind kind_;
  Cutting cutting_;
  PostedQueue waiting_;  ///< operations not started in full; bytes_done counts started ones
  std::vector<Segment> segments_;  ///< segment i lies in slot i mod window
  std::uint64_t started_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t retired_ = 0;
  StreamRequest carrier_;
  std::uint64_t credit_size_;     ///< segments
  std::uint64_t credits_ = 0;     ///< sent or received so far
  std::uint64_t uncredited_ = 0;  ///< segments of a receive that were retired since
  std::vector<Stream*>& with_news_;
  bool listed_ = false;
};

}  // namespace gradwire::transport::ucx
