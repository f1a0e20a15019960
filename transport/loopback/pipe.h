#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/clock.h"
#include "core/elements.h"
#include "core/file_descriptor.h"

/// Memory that behaves like a wire, with faults on demand.
namespace gradwire::transport::loopback {

/// What goes wrong on the way from one rank to another, on all their channels.
struct Fault {
  enum class Kind { none, delay, stall, cut } kind = Kind::none;
  /// delay: every message arrives this much later.
  Nanoseconds delay = Nanoseconds::zero();
  /// stall, cut: once this many elements have passed a channel.
  std::size_t after_elements = 0;
};

/// Wakes the thread that waits for a lane. Any thread may ring.
class Bell {
 public:
  Bell();
  /// Makes fd() readable.
  void ring() const noexcept;
  /// Forgets the rings so far.
  void silence() const noexcept;
  /// Readable from the first ring until silence().
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

/// One direction of a channel: the sender's extents, which the receiver takes straight from the
/// sender's gradient. One thread sends, one receives; neither locks.
class Pipe {
 public:
  /// At most `capacity` messages are under way. The clock must outlive the pipe.
  Pipe(std::size_t capacity, const Fault& fault, const Clock& clock);

  /// Names the bell of the lane that sends: it rings when elements are consumed, and on close().
  void attach_sender(std::shared_ptr<const Bell> bell);
  /// Names the bell of the lane that receives: it rings when elements are offered, and on close().
  void attach_receiver(std::shared_ptr<const Bell> bell);

  /// Sender: offers elements, which must stay as they are until they count as consumed.
  void offer(const Elements& elements);
  /// Either: how many elements the receiver has taken since the pipe was made.
  [[nodiscard]] std::size_t consumed() const { return consumed_.load(std::memory_order_acquire); }

  /// Receiver: what can be taken now of the first message, at most `most` elements; empty if
  /// nothing. They may be read, and no more, until consume(), which must follow unless this is
  /// empty.
  [[nodiscard]] Elements available(std::size_t most);
  /// Receiver: takes elements that available() showed.
  void consume(std::size_t elements);
  /// Receiver: when the first message arrives, if it is still on its way.
  [[nodiscard]] std::optional<TimePoint> arrival() const;

  /// Either end is gone: what was not consumed is lost. Waits for a receiver that is reading the
  /// sender's memory right now.
  void close();
  /// Whether an end is gone, or a fault has cut the pipe.
  [[nodiscard]] bool closed() const;

 private:
  struct Message {
    Elements elements;
    TimePoint arrives;
  };

  [[nodiscard]] const Message* front() const;
  [[nodiscard]] Elements shown(std::size_t most) const;

  Fault fault_;
  const Clock& clock_;
  std::vector<Message> messages_;          ///< a ring: message i lies in slot i mod capacity
  std::atomic<std::size_t> offered_ = 0;   ///< messages
  std::atomic<std::size_t> taken_ = 0;     ///< messages
  std::atomic<std::size_t> consumed_ = 0;  ///< elements
  std::size_t consumed_of_front_ = 0;      ///< elements; the receiver's own
  std::atomic<bool> closed_ = false;
  std::atomic<bool> reading_ = false;  ///< between available() and consume()
  std::shared_ptr<const Bell> sender_;
  std::shared_ptr<const Bell> receiver_;
};

}  // namespace gradwire::transport::loopback
