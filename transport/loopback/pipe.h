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

/// Fault on the way from one rank to another, on all their channels.
struct Fault {
  enum class Kind { none, delay, stall, cut } kind = Kind::none;
  /// Additional time until a message arrives, for delay.
  Nanoseconds delay = Nanoseconds::zero();
  /// Elements that pass a channel before the fault begins, for stall and cut.
  std::size_t after_elements = 0;
};

/// Notifier of the thread that waits for a lane. Any thread may ring.
class Bell {
 public:
  Bell();
  /// Makes fd() readable.
  void ring() const noexcept;
  /// Forgets the rings so far.
  void silence() const noexcept;
  /// Descriptor that is readable from the first ring until silence().
  [[nodiscard]] int fd() const { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

/// One direction of a channel: it hands the sender's extents to the receiver, which reads them
/// straight from the sender's gradient. One thread sends, one receives; neither takes a lock.
class Pipe {
 public:
  /// Makes a pipe for at most `capacity` messages under way. The clock must outlive the pipe.
  Pipe(std::size_t capacity, const Fault& fault, const Clock& clock);

  /// Names the bell of the lane that sends: it rings when elements are consumed, and on close().
  void attach_sender(std::shared_ptr<const Bell> bell);
  /// Names the bell of the lane that receives: it rings when elements are offered, and on close().
  void attach_receiver(std::shared_ptr<const Bell> bell);

  /// Offers elements for sending, which must stay unchanged until they count as consumed.
  void offer(const Elements& elements);
  /// Elements that the receiver has taken since the pipe was made. For both ends.
  [[nodiscard]] std::size_t consumed() const { return consumed_.load(std::memory_order_acquire); }

  /// The elements that the receiver can take now of the first message, at most `most`; empty if
  /// there are none. Only they may be read, and only until consume(), which must follow unless this
  /// is empty.
  [[nodiscard]] Elements available(std::size_t most);
  /// Takes elements that available() returned, for the receiver.
  void consume(std::size_t elements);
  /// Arrival time of the first message, if it is still on its way, for the receiver.
  [[nodiscard]] std::optional<TimePoint> arrival() const;

  /// Closes the pipe for both ends; elements that were not consumed are lost. Waits for a receiver
  /// that is reading the sender's memory right now.
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
